// Reorders the axes of a tensor.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: data; order, an integer vector: a permutation of the axes, or empty to reverse them.
/// Output: data with axis i taken from axis order[i].
class Transpose final : public Op<Transpose> {
public:
    static constexpr OpType kType{"Transpose", 1};

    Transpose() = default;
    Transpose(const Output& data, const Output& order) : Op({data, order}) {}

    OpTraits traits() const override { return OpTraits::movement_op(); }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
};

/// `order` with an empty one written out; throws through `context` unless it is a permutation.
std::vector<std::size_t> transpose_order(const InferContext& context,
                                         const std::vector<std::int64_t>& order, std::size_t rank);

}  // namespace rondo::ops
