// Determinants.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Input: matrices [..., n, n] of a floating type. Output: the determinant of each, [...], computed
/// in double and rounded once: the product of the pivots of Gauss's elimination, which are the
/// greatest of their columns. It is 1 where n is 0.
class Det final : public Op<Det> {
public:
    static constexpr OpType kType{"Det", 0};

    Det() = default;
    explicit Det(const Output& matrices) : Op({matrices}) {}

    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
};

}  // namespace rondo::ops
