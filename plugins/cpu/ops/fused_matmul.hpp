// A product that starts from a bias, or goes on with an elementwise program, as an op of the CPU
// device.
#pragma once

#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {

/// Parts: a MatMul; if it has a bias, the Add of a constant row of N; then elementwise ops that
/// program_of() makes one program of, each with the shape of the product.
/// Inputs: A [...,M,K], B, the bias if there is one, then what the program reads besides the
/// product. With a bias, the MatMul is one of f32 with a constant matrix [K,N] on its right, which
/// is not a transposed product's left side.
class FusedMatMul final : public Op<FusedMatMul, FusedOp> {
public:
    static constexpr OpType kType{"FusedMatMul", 0};
    static constexpr std::size_t kA = 0, kB = 1, kBias = 2;

    FusedMatMul(std::vector<Output> inputs, Parts parts, bool has_bias)
        : Op(std::move(inputs), std::move(parts)), has_bias_(has_bias) {}

    bool has_bias() const { return has_bias_; }
    /// The parts in front of the program.
    std::size_t product_parts() const { return has_bias_ ? 2 : 1; }
    bool has_program() const { return parts().size() > product_parts(); }

private:
    bool has_bias_;
};

}  // namespace rondo::cpu
