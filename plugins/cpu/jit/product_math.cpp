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
        case ElementType::i8: return code_.vpmovsxbw(to, weights);
        default: return code_.vmovups(to, weights);
    }
}

bool ProductMath::adds_apart() const {
    return rounds_rows(weights_) && (code_.isa() != Isa::avx512 || !cpu_features().vnni);
}

void ProductMath::add_product(const Xbyak::Xmm& sum, const Xbyak::Xmm& product, const Xbyak::Xmm& a,
                              const Xbyak::Xmm& b) const {
    code_.vpmaddwd(product, a, b);
    code_.vpaddd(sum, sum, product);
}

void ProductMath::fma(const Xbyak::Xmm& sum, const Xbyak::Xmm& a, const Xbyak::Operand& b) const {
    if (rounds_rows(weights_)) return code_.vpdpwssd(sum, a, b);
    precision() == Precision::f64 ? code_.vfmadd231pd(sum, a, b) : code_.vfmadd231ps(sum, a, b);
}

}  // namespace rondo::cpu::jit
