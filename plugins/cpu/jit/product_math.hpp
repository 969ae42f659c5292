// Emits loads, broadcasts and multiply-adds in the types of one product.
#pragma once

#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/kernels/machine/precision.hpp"

namespace rondo::cpu::jit {

/// Scalars are f64 where the weights are, else f32. Weights of f16 and bf16 are widened when they
/// are loaded.
class ProductMath {
public:
    ProductMath(JitBase& code, ElementType weights) : code_(code), weights_(weights) {}

    Precision precision() const { return precision_of(weights_); }
    int scalar_bytes() const { return static_cast<int>(bytes_of(precision())); }
    /// Scalars in a vector register.
    int scalars() const { return code_.vector_bytes() / scalar_bytes(); }
    /// Bytes that a vector of weights takes in memory.
    int weight_vector_bytes() const { return scalars() * static_cast<int>(size_of(weights_)); }
    /// Whether weights have to pass through a register before they can be multiplied.
    bool widens() const { return size_of(weights_) == 2; }

    void broadcast(const Xbyak::Xmm& to, const Xbyak::Address& scalar) const;
    void load_weights(const Xbyak::Xmm& to, const Xbyak::Address& weights) const;
    /// sum += a * b, rounded once.
    void fma(const Xbyak::Xmm& sum, const Xbyak::Xmm& a, const Xbyak::Operand& b) const;

private:
    JitBase& code_;
    ElementType weights_;
};

}  // namespace rondo::cpu::jit
