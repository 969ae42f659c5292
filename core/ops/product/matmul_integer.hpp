// The product of matrices of 8-bit integers with zero points.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: a [..., M, K] and b [..., K, N], u8 or i8 each; a_zero_point and b_zero_point, of a's
/// and of b's type, which broadcast to a and b as in NumPy and have extent 1 along K. Output:
/// (a - a_zero_point) * (b - b_zero_point), i32: [..., M, N], exact modulo 2^32. Leading axes and
/// inputs of rank 1: as MatMul.
class MatMulInteger final : public Op<MatMulInteger> {
public:
    static constexpr OpType kType{"MatMulInteger", 0};

    MatMulInteger() = default;
    MatMulInteger(const Output& a, const Output& b, const Output& a_zero_point,
                  const Output& b_zero_point)
        : Op({a, b, a_zero_point, b_zero_point}) {}

    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
};

}  // namespace rondo::ops
