#include "plugins/cpu/jit/product_math.hpp"

namespace rondo::cpu::jit {

void ProductMath::broadcast(const Xbyak::Xmm& to, const Xbyak::Address& scalar) const {
    if (precision() == Precision::f32) return code_.vbroadcastss(to, scalar);
    code_.isa() == Isa::avx512 ? code_.vbroadcastsd(Xbyak::Zmm(to.getIdx()), scalar)
                               : code_.vbroadcastsd(Xbyak::Ymm(to.getIdx()), scalar);
}

// bf16 is the upper half of an f32.
void ProductMath::load_weights(const Xbyak::Xmm& to, const Xbyak::Address& weights) const {
    constexpr int kLowerHalf = 16;
    switch (format_.type) {
        case ElementType::f16: return code_.vcvtph2ps(to, weights);
        case ElementType::bf16:
            code_.vpmovzxwd(to, weights);
            return code_.vpslld(to, to, kLowerHalf);
        case ElementType::i8:
        case ElementType::i16:
            if (!widens()) break;
            return code_.vpmovsxbw(to, weights);
        default: break;
    }
    code_.vmovups(to, weights);
}

bool ProductMath::adds_apart() const { return format_.integers() && together() == 2; }

// The odd number is the upper half of 32 bits.
void ProductMath::split_pairs(const Xbyak::Xmm& even, const Xbyak::Xmm& odd,
                              const Xbyak::Xmm& pairs) const {
    constexpr int kHalf = 16;
    code_.vpsrld(odd, pairs, kHalf);
    code_.vpslld(odd, odd, kHalf);
    code_.vpslld(even, pairs, kHalf);
}

void ProductMath::add_product(const Xbyak::Xmm& sum, const Xbyak::Xmm& product,
                              const Xbyak::Xmm& value, const Xbyak::Xmm& weights) const {
    code_.vpmaddwd(product, value, weights);
    code_.vpaddd(sum, sum, product);
}

void ProductMath::fma(const Xbyak::Xmm& sum, const Xbyak::Xmm& value,
                      const Xbyak::Operand& weights) const {
    if (format_.integers()) {
        return code_.vpdpbusd(sum, value, weights,
                              code_.isa() == Isa::avx2 ? Xbyak::VexEncoding : Xbyak::EvexEncoding);
    }
    precision() == Precision::f64 ? code_.vfmadd231pd(sum, value, weights)
                                  : code_.vfmadd231ps(sum, value, weights);
}

// sum over k of (q - zero) w = sum over k of q w - zero * sum over k of w, for the row's last
// plane.
void ProductMath::emit_centring(const TileShape& shape, int row, const IntegerPlaces& places,
                                const std::vector<Lease>& accumulators) const {
    const Lease pointer = code_.take_gpr("zero points, then sums");
    const Lease zero = code_.take_vector("zero point"), product = code_.take_vector("product");
    const Xbyak::Reg64 at = JitBase::gpr(pointer);
    code_.mov(at, code_.argument(places.row_zeros));
    code_.vpbroadcastd(code_.vmm(zero),
                       Xbyak::util::ptr[at + static_cast<int>(sizeof(std::int32_t)) * row]);
    code_.mov(at, code_.argument(places.weight_sums));
    const int planes = format_.weight_planes();
    for (std::size_t i = 0; i < accumulators.size(); ++i) {
        const auto vector = static_cast<int>(i) / shape.sums;
        const int plane = static_cast<int>(i) % shape.sums - (format_.row_planes() - 1);
        if (plane < 0) continue;
        const int panel = vector / shape.vectors, v = vector % shape.vectors;
        const int place = (panel * places.panel_step + v * code_.vector_bytes()) * planes +
                          plane * code_.vector_bytes();
        code_.vpmulld(code_.vmm(product), code_.vmm(zero), Xbyak::util::ptr[at + place]);
        code_.vpsubd(code_.vmm(accumulators[i]), code_.vmm(accumulators[i]), code_.vmm(product));
    }
}

// From the greatest power of 256 down.
void ProductMath::emit_powers(const TileShape& shape,
                              const std::vector<Lease>& accumulators) const {
    const Lease power = code_.take_vector("256");
    {
        const Lease bits = code_.take_gpr("bits of 256");
        constexpr std::uint32_t kBitsOf256 = 0x43800000;
        const Xbyak::Reg32 narrow(bits.index());
        code_.mov(narrow, kBitsOf256);
        code_.vmovd(Xbyak::Xmm(power.index()), narrow);
        code_.vbroadcastss(code_.vmm(power), Xbyak::Xmm(power.index()));
    }
    const auto sums = static_cast<std::size_t>(shape.sums);
    for (std::size_t first = 0; first < accumulators.size(); first += sums) {
        for (std::size_t i = sums - 1; i > 0; --i) {
            const Xbyak::Xmm to = code_.vmm(accumulators[first + i - 1]);
            code_.vcvtdq2ps(to, to);
            code_.vfmadd231ps(to, code_.vmm(accumulators[first + i]), code_.vmm(power));
        }
    }
}

void ProductMath::emit_floats(const TileShape& shape, int row, const IntegerPlaces& places,
                              const std::vector<Lease>& accumulators) const {
    if (together() == 4) emit_centring(shape, row, places, accumulators);
    const auto sums = static_cast<std::size_t>(shape.sums);
    for (std::size_t i = sums - 1; i < accumulators.size(); i += sums) {
        code_.vcvtdq2ps(code_.vmm(accumulators[i]), code_.vmm(accumulators[i]));
    }
    if (shape.sums > 1) emit_powers(shape, accumulators);
    const Lease pointer = code_.take_gpr("scales of rows"), scale = code_.take_vector("scale");
    code_.mov(JitBase::gpr(pointer), code_.argument(places.row_scales));
    code_.vbroadcastss(
        code_.vmm(scale),
        Xbyak::util::ptr[JitBase::gpr(pointer) + static_cast<int>(sizeof(float)) * row]);
    for (std::size_t i = 0; i < accumulators.size(); i += sums) {
        code_.vmulps(code_.vmm(accumulators[i]), code_.vmm(accumulators[i]), code_.vmm(scale));
    }
}

}  // namespace rondo::cpu::jit
