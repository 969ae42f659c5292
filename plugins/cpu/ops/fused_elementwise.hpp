// Elementwise ops that read each other, as one op of the CPU device.
#pragma once

#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {

/// Parts: ops that program_of() makes one program of; the values between them have the shape of the
/// output, which is the last one's. Inputs: what the parts read from outside, each once.
class FusedElementwise final : public Op<FusedElementwise, FusedOp> {
public:
    static constexpr OpType kType{"FusedElementwise", 0};
    using Op::Op;
};

}  // namespace rondo::cpu
