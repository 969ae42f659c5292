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
    switch (weights_) {
        case ElementType::f16: return code_.vcvtph2ps(to, weights);
        case ElementType::bf16:
            code_.vpmovzxwd(to, weights);
            return code_.vpslld(to, to, kLowerHalf);
        case ElementType::i8:
            if (!widens()) break;
            return code_.vpmovsxbw(to, weights);
        default: break;
    }
    code_.vmovups(to, weights);
}

bool ProductMath::adds_apart() const { return together() == 2; }

void ProductMath::add_product(const Xbyak::Xmm& sum, const Xbyak::Xmm& product,
                              const Xbyak::Xmm& value, const Xbyak::Xmm& weights) const {
    code_.vpmaddwd(product, value, weights);
    code_.vpaddd(sum, sum, product);
}

void ProductMath::fma(const Xbyak::Xmm& sum, const Xbyak::Xmm& value,
                      const Xbyak::Operand& weights) const {
    if (quantizes_rows(weights_)) return code_.vpdpbusd(sum, value, weights);
    precision() == Precision::f64 ? code_.vfmadd231pd(sum, value, weights)
                                  : code_.vfmadd231ps(sum, value, weights);
}

// sum over k of (q - zero) w = sum over k of q w - zero * sum over k of w.
void ProductMath::centre(const Xbyak::Xmm& sum, const Xbyak::Xmm& product, const Xbyak::Xmm& zero,
                         const Xbyak::Address& sums) const {
    code_.vpmulld(product, zero, sums);
    code_.vpsubd(sum, sum, product);
}

}  // namespace rondo::cpu::jit
