// A reduction or softmax of an elementwise program's results, as an op of the CPU device.
#pragma once

#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {

/// Parts: elementwise ops of f32 or f64 that program_of() makes one program of, then a Reduce along
/// constant last axes, or a SoftMax. Inputs: what the parts read from outside.
class FusedReduction final : public Op<FusedReduction, FusedOp> {
public:
    static constexpr OpType kType{"FusedReduction", 0};
    using Op::Op;

    /// The parts of the program.
    std::size_t program_parts() const { return parts().size() - 1; }
};

}  // namespace rondo::cpu
