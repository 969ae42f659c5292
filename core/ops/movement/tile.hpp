// Repeats a whole tensor along its axes.
#pragma once

#include <optional>
#include <vector>

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: data; repeats, an integer vector of numbers from 0 on. The last of them belong to the
/// last axes of data; the shorter side counts as if it had ones in front. Output: data, repeated
/// along each axis as often as its number says.
class Tile final : public Op<Tile> {
public:
    static constexpr OpType kType{"Tile", 1};

    Tile() = default;
    Tile(const Output& data, const Output& repeats) : Op({data, repeats}) {}

    OpTraits traits() const override { return OpTraits::movement_op(); }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
};

}  // namespace rondo::ops
