// Emits loads, broadcasts and multiply-adds in the types of one product.
#pragma once

#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/product/quantized_rows.hpp"

namespace rondo::cpu::jit {

/// Scalars are f64 where the weights are, else f32. Weights of f16 and bf16 are widened when they
/// are loaded. With i8 weights a scalar is four bytes of a quantised row (with VNNI, else a pair of
/// 16-bit numbers), and sums are 32-bit integers.
class ProductMath {
public:
    ProductMath(JitBase& code, ElementType weights) : code_(code), weights_(weights) {}

    Precision precision() const { return precision_of(weights_); }
    int scalar_bytes() const { return static_cast<int>(bytes_of(precision())); }
    /// Numbers of k in a scalar.
    int together() const { return numbers_of_step(code_.isa(), weights_); }
    /// Scalars in a vector register.
    int scalars() const { return code_.vector_bytes() / scalar_bytes(); }
    /// Bytes that a vector of weights takes in memory.
    int weight_vector_bytes() const {
        return scalars() * together() * static_cast<int>(size_of(weights_));
    }
    /// Whether weights have to pass through a register before they can be multiplied.
    bool widens() const { return weight_vector_bytes() < code_.vector_bytes(); }
    /// Whether a product is added by an instruction of its own, see add_product().
    bool adds_apart() const;

    void broadcast(const Xbyak::Xmm& to, const Xbyak::Address& scalar) const;
    void load_weights(const Xbyak::Xmm& to, const Xbyak::Address& weights) const;
    /// sum += value * weights, rounded once.
    void fma(const Xbyak::Xmm& sum, const Xbyak::Xmm& value, const Xbyak::Operand& weights) const;
    /// product = value * weights, sum += product.
    void add_product(const Xbyak::Xmm& sum, const Xbyak::Xmm& product, const Xbyak::Xmm& value,
                     const Xbyak::Xmm& weights) const;

    /// Whether the zero point of a row is still in its sums of integers, see centre().
    bool has_zero_points() const { return together() == 4; }
    /// sum -= zero * sums of the weights; changes `product`.
    void centre(const Xbyak::Xmm& sum, const Xbyak::Xmm& product, const Xbyak::Xmm& zero,
                const Xbyak::Address& sums) const;

private:
    JitBase& code_;
    ElementType weights_;
};

}  // namespace rondo::cpu::jit
