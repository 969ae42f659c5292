// A product that starts from a bias instead of zero, as an op of the CPU device.
#pragma once

#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {

/// Parts: a MatMul of f32 with a constant matrix [K,N] on its right, which is not a transposed
/// product's left side, and the Add of a constant row of N.
/// Inputs: A [...,M,K], B, the bias. Output: their product plus the bias.
class FusedMatMul final : public Op<FusedMatMul, FusedOp> {
public:
    static constexpr OpType kType{"FusedMatMul", 0};
    static constexpr std::size_t kA = 0, kB = 1, kBias = 2;
    using Op::Op;
};

}  // namespace rondo::cpu
