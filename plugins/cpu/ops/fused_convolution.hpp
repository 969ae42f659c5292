// A convolution that goes on with an elementwise program, as an op of the CPU device.
#pragma once

#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {

/// Parts: a Convolution or GroupConvolution of f32 or f64, then elementwise ops that program_of()
/// makes one program of, each with the convolution's shape.
/// Inputs: data, filters, then what the program reads besides the convolution.
class FusedConvolution final : public Op<FusedConvolution, FusedOp> {
public:
    static constexpr OpType kType{"FusedConvolution", 0};
    static constexpr std::size_t kProductParts = 1;
    using Op::Op;
};

}  // namespace rondo::cpu
