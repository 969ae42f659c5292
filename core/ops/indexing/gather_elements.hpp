// Takes single elements of a tensor by index.
#pragma once

#include <cstdint>

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: data; indices, integers of the same rank, nowhere larger than data except along `axis`.
/// Output, of the shape of indices: at each index of it the element of data there, except that the
/// place along the axis is the one that indices hold. Places below 0 count from the end; evaluating
/// one out of range is an error.
class GatherElements final : public Op<GatherElements> {
public:
    static constexpr OpType kType{"GatherElements", 6};

    GatherElements() = default;
    GatherElements(const Output& data, const Output& indices, std::int64_t axis)
        : Op({data, indices}), axis_(axis) {}

    std::int64_t axis() const { return axis_; }

    OpTraits traits() const override { return OpTraits::movement_op(); }
    static void visit_attributes(auto& self, auto& visitor) { visitor.on("axis", self.axis_); }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    std::int64_t axis_ = 0;
};

}  // namespace rondo::ops
