#include "plugins/cpu/jit/vector_ops.hpp"

#include <utility>

namespace rondo::cpu::jit {
namespace {

using Xbyak::Operand;
using Xbyak::Xmm;

constexpr std::uint32_t kSignBit = 0x80000000u;
constexpr int kMantissaBits = 23;
constexpr std::uint8_t kLessEqualQuiet = 18;  // ordered: false where either is NaN

}  // namespace

Xmm VectorOps::vmm(int index) const {
    if (isa_ == Isa::avx512) return Xbyak::Zmm(index);
    return Xbyak::Ymm(index);
}

Vec VectorOps::load(Vec x) {
    if (x.in_register()) return x;
    const Vec result = fresh();
    if (x.address().isBroadcast()) {
        code_.vbroadcastss(vmm(result), Xbyak::util::dword[x.address().getRegExp()]);
    } else {
        code_.vmovups(vmm(result), x.address());
    }
    return result;
}

// The register of an operand that nobody else needs, or a new one. Both operands are held by the
// caller, so a count of 1 means that only the caller does.
Vec VectorOps::result_for(const Vec& a, const Vec& b) {
    if (a.may_overwrite()) return a;
    if (b.may_overwrite()) return b;
    return fresh();
}

Vec VectorOps::add(Vec a, Vec b) {
    if (!a.in_register()) std::swap(a, b);
    return binary(std::move(a), std::move(b),
                  [this](const Xmm& d, const Xmm& x, const Operand& y) { code_.vaddps(d, x, y); });
}

Vec VectorOps::sub(Vec a, Vec b) {
    return binary(std::move(a), std::move(b),
                  [this](const Xmm& d, const Xmm& x, const Operand& y) { code_.vsubps(d, x, y); });
}

Vec VectorOps::mul(Vec a, Vec b) {
    if (!a.in_register()) std::swap(a, b);
    return binary(std::move(a), std::move(b),
                  [this](const Xmm& d, const Xmm& x, const Operand& y) { code_.vmulps(d, x, y); });
}

Vec VectorOps::div(Vec a, Vec b) {
    return binary(std::move(a), std::move(b),
                  [this](const Xmm& d, const Xmm& x, const Operand& y) { code_.vdivps(d, x, y); });
}

Vec VectorOps::max(Vec a, Vec b) {
    return binary(std::move(a), std::move(b),
                  [this](const Xmm& d, const Xmm& x, const Operand& y) { code_.vmaxps(d, x, y); });
}

Vec VectorOps::min(Vec a, Vec b) {
    return binary(std::move(a), std::move(b),
                  [this](const Xmm& d, const Xmm& x, const Operand& y) { code_.vminps(d, x, y); });
}

Vec VectorOps::fma(Vec a, Vec b, Vec c) {
    return fused(Fused::add, std::move(a), std::move(b), std::move(c));
}

Vec VectorOps::sub_product(Vec c, Vec a, Vec b) {
    return fused(Fused::subtract, std::move(a), std::move(b), std::move(c));
}

// The instruction overwrites one operand; its three forms differ in which, and in which of the
// others may be in memory: 231: d = x y + d, 213: d = x d + y, 132: d = d y + x (y: memory).
Vec VectorOps::fused(Fused kind, Vec a, Vec b, Vec c) {
    if (!a.in_register()) std::swap(a, b);
    a = load(std::move(a));
    const bool add = kind == Fused::add;
    if (!c.may_overwrite() && !a.may_overwrite() && b.may_overwrite()) std::swap(a, b);
    if (!c.may_overwrite() && a.may_overwrite()) {
        if (b.in_register()) {
            with_operand(c, [&](const Operand& y) {
                add ? code_.vfmadd213ps(vmm(a), vmm(b), y) : code_.vfnmadd213ps(vmm(a), vmm(b), y);
            });
        } else {
            c = load(std::move(c));
            const Xbyak::Address& y = b.address();
            add ? code_.vfmadd132ps(vmm(a), vmm(c), y) : code_.vfnmadd132ps(vmm(a), vmm(c), y);
        }
        return a;
    }
    if (!c.in_register()) {
        c = load(std::move(c));
    } else if (!c.may_overwrite()) {
        const Vec copy = fresh();
        code_.vmovaps(vmm(copy), vmm(c));
        c = copy;
    }
    with_operand(b, [&](const Operand& y) {
        add ? code_.vfmadd231ps(vmm(c), vmm(a), y) : code_.vfnmadd231ps(vmm(c), vmm(a), y);
    });
    return c;
}

Vec VectorOps::abs(Vec x) {
    return binary(std::move(x), constant_bits(~kSignBit),
                  [this](const Xmm& d, const Xmm& a, const Operand& b) { code_.vandps(d, a, b); });
}

Vec VectorOps::negative_abs(Vec x) {
    return binary(std::move(x), constant_bits(kSignBit),
                  [this](const Xmm& d, const Xmm& a, const Operand& b) { code_.vorps(d, a, b); });
}

Vec VectorOps::copy_sign(Vec magnitude, Vec sign) {
    Vec bit =
        binary(std::move(sign), constant_bits(kSignBit),
               [this](const Xmm& d, const Xmm& a, const Operand& b) { code_.vandps(d, a, b); });
    return binary(std::move(bit), std::move(magnitude),
                  [this](const Xmm& d, const Xmm& a, const Operand& b) { code_.vorps(d, a, b); });
}

Vec VectorOps::power_of_two(Vec t) {
    t = load(std::move(t));
    const Vec result = t.may_overwrite() ? t : fresh();
    code_.vpslld(vmm(result), vmm(t), kMantissaBits);
    return result;
}

// AVX2: by the sign bits of `mask`; AVX-512: by the opmask, which is set already.
Vec VectorOps::blend(Vec yes, Vec otherwise, const Vec& mask) {
    return binary(std::move(otherwise), std::move(yes),
                  [&](const Xmm& d, const Xmm& no, const Operand& op) {
                      if (isa_ == Isa::avx512) {
                          code_.vblendmps(d | mask_, no, op);
                      } else {
                          code_.vblendvps(d, no, op, vmm(mask));
                      }
                  });
}

Vec VectorOps::select_negative(Vec x, Vec negative, Vec otherwise) {
    x = load(std::move(x));
    if (isa_ == Isa::avx512) code_.vpmovd2m(mask_, vmm(x));
    return blend(std::move(negative), std::move(otherwise), x);
}

Vec VectorOps::select_less_equal(Vec x, Vec y, Vec yes, Vec otherwise) {
    x = load(std::move(x));
    if (isa_ == Isa::avx512) {
        with_operand(y,
                     [&](const Operand& op) { code_.vcmpps(mask_, vmm(x), op, kLessEqualQuiet); });
        return blend(std::move(yes), std::move(otherwise), x);
    }
    const Vec mask =
        binary(std::move(x), std::move(y), [this](const Xmm& d, const Xmm& a, const Operand& b) {
            code_.vcmpps(d, a, b, kLessEqualQuiet);
        });
    return blend(std::move(yes), std::move(otherwise), mask);
}

}  // namespace rondo::cpu::jit
