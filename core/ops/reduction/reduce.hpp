// The reduce family: one value of all elements along some axes. Each op is a row of kReduceOps.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/reduction/functions.hpp"

namespace rondo::ops {

/// Inputs: data, of a type that the row takes; axes, integers of rank 0 or 1 (negative ones count
/// from the end; named twice is named once). Output: the same type; the axes are dropped, or kept
/// with extent 1. No axes: each element is reduced alone.
/// Integers: sums and products wrap; means and roots round towards zero. NaN among the elements
/// gives NaN. Without elements: 0 (sum, L2), 1 (product), the least or the greatest value of the
/// type (max, min: infinities of floating types), true (and), false (or), NaN (mean; an error for
/// integers).
class Reduce final : public Clonable<Reduce> {
public:
    explicit Reduce(ReduceFunction function) : info_(&kReduceOps[static_cast<int>(function)]) {}
    Reduce(ReduceFunction function, const Output& data, const Output& axes, bool keep_dims)
        : Reduce(function) {
        set_inputs({data, axes});
        keep_dims_ = keep_dims;
    }

    ReduceFunction function() const { return info_->function; }
    bool keep_dims() const { return keep_dims_; }
    void set_keep_dims(bool keep) { keep_dims_ = keep; }

    const OpType& op_type() const override { return info_->type; }
    OpTraits traits() const override { return OpTraits::op_along_axes(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("keep_dims", self.keep_dims_);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    const ReduceInfo* info_;
    bool keep_dims_ = false;
};

/// Whether the node is the reduction of that function.
bool is(const Node& node, ReduceFunction function);

/// Whether each of `rank` axes is among `axes`; throws through `context` for one out of range.
std::vector<bool> reduced_axes(const InferContext& context, const std::vector<std::int64_t>& axes,
                               std::size_t rank);

}  // namespace rondo::ops
