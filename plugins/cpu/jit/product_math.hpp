// Emits loads, broadcasts and multiply-adds in the types of one product.
#pragma once

#include <cstddef>
#include <vector>

#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/jit/tile_shape.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/product/weight_format.hpp"

namespace rondo::cpu::jit {

/// Scalars are f64 where the weights are, else f32. Weights of f16 and bf16 are widened when they
/// are loaded. With weights of integers a scalar is a step of a plane of a quantised row, four
/// bytes with VNNI, else a pair of 16-bit numbers; a vector of weights is one of a plane; sums are
/// 32-bit integers. With kBf16 a value is a pair of f32, a vector of weights one of pairs.
class ProductMath {
public:
    ProductMath(JitBase& code, const WeightFormat& format) : code_(code), format_(format) {}

    const WeightFormat& format() const { return format_; }
    Precision precision() const { return format_.precision(); }
    int scalar_bytes() const { return static_cast<int>(bytes_of(precision())); }
    /// Bytes of a step of a row, of each plane.
    int value_bytes() const { return scalar_bytes() * (format_.chains_pairs() ? together() : 1); }
    /// Numbers of k in a scalar.
    int together() const { return numbers_of_step(code_.isa(), format_); }
    /// Scalars in a vector register.
    int scalars() const { return code_.vector_bytes() / scalar_bytes(); }
    /// Bytes that a vector of weights takes in memory.
    int weight_vector_bytes() const {
        return scalars() * together() * static_cast<int>(format_.bytes()) / format_.weight_planes();
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

    /// The two halves of a vector of pairs of bf16 as f32: `even` may be `pairs`.
    void split_pairs(const Xbyak::Xmm& even, const Xbyak::Xmm& odd, const Xbyak::Xmm& pairs) const;

    /// Where a row's scales, zero points and the sums of weights are in the arguments of a tile,
    /// and where those of accumulator (panel, vector) are in the latter: bytes.
    struct IntegerPlaces {
        std::size_t row_scales, row_zeros, weight_sums;
        int panel_step;  ///< from panel to panel, of a vector of the scales
    };
    /// The sums of row `row` of a tile become f32, times the row's scale: each in the first of the
    /// accumulators of its vector, [panel][vector][sum].
    void emit_floats(const TileShape& shape, int row, const IntegerPlaces& places,
                     const std::vector<Lease>& accumulators) const;

private:
    void emit_centring(const TileShape& shape, int row, const IntegerPlaces& places,
                       const std::vector<Lease>& accumulators) const;
    void emit_powers(const TileShape& shape, const std::vector<Lease>& accumulators) const;

    JitBase& code_;
    WeightFormat format_;
};

}  // namespace rondo::cpu::jit
