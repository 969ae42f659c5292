// The mean over some axes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: data, numbers; axes, integers of rank 0 or 1 (negative ones count from the end; named
/// twice is named once). Output: the same type; the axes are dropped, or kept with extent 1.
/// No axes: the data itself. Integers round towards zero.
class ReduceMean final : public Op<ReduceMean> {
public:
    static constexpr OpType kType{"ReduceMean", 1};

    ReduceMean() = default;
    ReduceMean(const Output& data, const Output& axes, bool keep_dims)
        : Op({data, axes}), keep_dims_(keep_dims) {}

    bool keep_dims() const { return keep_dims_; }
    void set_keep_dims(bool keep) { keep_dims_ = keep; }

    void visit_attributes(AttributeVisitor& visitor) override;
    void infer(InferContext& context) const override;

private:
    bool keep_dims_ = false;
};

/// Whether each of `rank` axes is among `axes`; throws through `context` for one out of range.
std::vector<bool> reduced_axes(const InferContext& context, const std::vector<std::int64_t>& axes,
                               std::size_t rank);

}  // namespace rondo::ops
