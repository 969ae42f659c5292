// A normalisation that goes on with an elementwise program, as an op of the CPU device.
#pragma once

#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {

/// Parts: an MVN of f32 or f64, then elementwise ops that program_of() makes one program of, each
/// with its shape.
/// Inputs: data, axes, then what the program reads besides the normalised data.
class FusedMvn final : public Op<FusedMvn, FusedOp> {
public:
    static constexpr OpType kType{"FusedMvn", 0};
    static constexpr std::size_t kNormalisingParts = 1;
    using Op::Op;
};

}  // namespace rondo::cpu
