// A matrix that stays compressed in memory, as an op of the CPU device.
#pragma once

#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {

/// Parts: the chain of passes::CompressedWeights. Inputs: the integers, the zero point if there is
/// one, the scale, and the pattern of a Reshape. Its result is never computed: the product that
/// reads it widens the integers itself.
class CompressedMatrix final : public Op<CompressedMatrix, FusedOp> {
public:
    static constexpr OpType kType{"CompressedMatrix", 0};
    using Op::Op;

    OpTraits traits() const override { return {.takes_narrow_types = true}; }
};

}  // namespace rondo::cpu
