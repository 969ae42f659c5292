// Takes slices of a tensor by index.
#pragma once

#include <cstdint>

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: data [B.., D.., A, E..]; indices [B.., J..], integers; axis, one integer: the place of A
/// (a negative one counts from the end). The first `batch_dims` axes B.. are common to both.
/// Output [B.., D.., J.., E..]: for each index the slice of data there. Indices below 0 count from
/// the end; evaluating one out of range is an error.
class Gather final : public Op<Gather> {
public:
    static constexpr OpType kType{"Gather", 8};
    /// Older forms, which say less: reading one makes this op. Opset 1 has no batch_dims, and
    /// neither takes indices below 0.
    static constexpr OpType kOpset1{"Gather", 1};
    static constexpr OpType kOpset7{"Gather", 7};

    Gather() = default;
    Gather(const Output& data, const Output& indices, const Output& axis,
           std::int64_t batch_dims = 0)
        : Op({data, indices, axis}), batch_dims_(batch_dims) {}

    std::int64_t batch_dims() const { return batch_dims_; }

    OpTraits traits() const override { return OpTraits::movement_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("batch_dims", self.batch_dims_);
    }
    std::vector<Dimension> known_extents(std::size_t output, int steps) const override;
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    std::int64_t batch_dims_ = 0;
};

}  // namespace rondo::ops
