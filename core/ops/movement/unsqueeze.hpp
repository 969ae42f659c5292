// Inserts axes of extent 1.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: data; axes, integers: where the new axes stand in the output, each named once.
/// Output: the elements of data in the same order.
class Unsqueeze final : public Op<Unsqueeze> {
public:
    static constexpr OpType kType{"Unsqueeze", 1};

    Unsqueeze() = default;
    Unsqueeze(const Output& data, const Output& axes) : Op({data, axes}) {}

    OpTraits traits() const override { return OpTraits::view_op(); }
    std::vector<Dimension> known_extents(std::size_t output, int steps) const override;
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
};

}  // namespace rondo::ops
