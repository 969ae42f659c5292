#include "plugins/cpu/jit/vector_ops.hpp"

#include <bit>
#include <utility>

namespace rondo::cpu::jit {
namespace {

using Xbyak::Operand;
using Xbyak::Xmm;

using Code = Xbyak::CodeGenerator;

constexpr std::uint32_t kSignBit32 = 0x80000000u;
constexpr std::uint64_t kSignBit64 = 0x8000000000000000u;
constexpr int kMantissaBits32 = 23;
constexpr int kMantissaBits64 = 52;
constexpr std::uint8_t kLessEqualQuiet = 18;  // ordered: false where either is NaN

// Ordered except not_equal, and quiet.
std::uint8_t predicate_of(ops::CompareFunction function) {
    switch (function) {
        case ops::CompareFunction::equal: return 0;
        case ops::CompareFunction::greater: return 30;
        case ops::CompareFunction::greater_equal: return 29;
        case ops::CompareFunction::less: return 17;
        case ops::CompareFunction::less_equal: return kLessEqualQuiet;
        case ops::CompareFunction::not_equal: return 4;
    }
    return 0;
}

}  // namespace

Xmm VectorOps::vmm(int index) const {
    if (isa_ == Isa::avx512) return Xbyak::Zmm(index);
    return Xbyak::Ymm(index);
}

Vec VectorOps::constant(double value) {
    if (f64()) return Vec(constants_.address64(base_, std::bit_cast<std::uint64_t>(value)));
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    return Vec(constants_.address(base_, bits));
}

Vec VectorOps::sign_bit() {
    return Vec(f64() ? constants_.address64(base_, kSignBit64)
                     : constants_.address(base_, kSignBit32));
}

Vec VectorOps::all_but_sign_bit() {
    return Vec(f64() ? constants_.address64(base_, ~kSignBit64)
                     : constants_.address(base_, ~kSignBit32));
}

Vec VectorOps::load(Vec x) {
    if (x.in_register()) return x;
    const Vec result = fresh();
    if (x.address().isBroadcast()) {
        const Xbyak::RegExp& at = x.address().getRegExp();
        f64() ? code_.vbroadcastsd(Xbyak::Zmm(result.index()), Xbyak::util::qword[at])
              : code_.vbroadcastss(vmm(result), Xbyak::util::dword[at]);
    } else {
        code_.vmovups(vmm(result), x.address());
    }
    return result;
}

// The register of an operand without another user, or a new one. Both operands are held by the
// caller, so a count of 1 means that only the caller does.
Vec VectorOps::result_for(const Vec& a, const Vec& b) {
    if (a.may_overwrite()) return a;
    if (b.may_overwrite()) return b;
    return fresh();
}

Vec VectorOps::binary(Vec a, Vec b, const Instruction& instruction) {
    return binary(std::move(a), std::move(b), [&](const Xmm& d, const Xmm& x, const Operand& y) {
        (code_.*(f64() ? instruction.f64 : instruction.f32))(d, x, y);
    });
}

Vec VectorOps::add(Vec a, Vec b) {
    if (!a.in_register()) std::swap(a, b);
    return binary(std::move(a), std::move(b), {&Code::vaddps, &Code::vaddpd});
}

Vec VectorOps::sub(Vec a, Vec b) {
    return binary(std::move(a), std::move(b), {&Code::vsubps, &Code::vsubpd});
}

Vec VectorOps::mul(Vec a, Vec b) {
    if (!a.in_register()) std::swap(a, b);
    return binary(std::move(a), std::move(b), {&Code::vmulps, &Code::vmulpd});
}

Vec VectorOps::div(Vec a, Vec b) {
    return binary(std::move(a), std::move(b), {&Code::vdivps, &Code::vdivpd});
}

Vec VectorOps::max(Vec a, Vec b) {
    return binary(std::move(a), std::move(b), {&Code::vmaxps, &Code::vmaxpd});
}

Vec VectorOps::min(Vec a, Vec b) {
    return binary(std::move(a), std::move(b), {&Code::vminps, &Code::vminpd});
}

Vec VectorOps::fma(Vec a, Vec b, Vec c) {
    constexpr Fused k32{&Code::vfmadd132ps, &Code::vfmadd213ps, &Code::vfmadd231ps};
    constexpr Fused k64{&Code::vfmadd132pd, &Code::vfmadd213pd, &Code::vfmadd231pd};
    return fused(f64() ? k64 : k32, std::move(a), std::move(b), std::move(c));
}

Vec VectorOps::sub_product(Vec c, Vec a, Vec b) {
    constexpr Fused k32{&Code::vfnmadd132ps, &Code::vfnmadd213ps, &Code::vfnmadd231ps};
    constexpr Fused k64{&Code::vfnmadd132pd, &Code::vfnmadd213pd, &Code::vfnmadd231pd};
    return fused(f64() ? k64 : k32, std::move(a), std::move(b), std::move(c));
}

// The instruction overwrites one operand; its three forms differ in which, and in which of the
// others may be in memory: 231: d = x y + d, 213: d = x d + y, 132: d = d y + x (y: memory).
Vec VectorOps::fused(const Fused& forms, Vec a, Vec b, Vec c) {
    if (!a.in_register()) std::swap(a, b);
    a = load(std::move(a));
    if (!c.may_overwrite() && !a.may_overwrite() && b.may_overwrite()) std::swap(a, b);
    if (!c.may_overwrite() && a.may_overwrite()) {
        if (b.in_register()) {
            with_operand(c, [&](const Operand& y) { (code_.*forms.form213)(vmm(a), vmm(b), y); });
        } else {
            c = load(std::move(c));
            (code_.*forms.form132)(vmm(a), vmm(c), b.address());
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
    with_operand(b, [&](const Operand& y) { (code_.*forms.form231)(vmm(c), vmm(a), y); });
    return c;
}

Vec VectorOps::abs(Vec x) {
    return binary(std::move(x), all_but_sign_bit(), {&Code::vandps, &Code::vandpd});
}

Vec VectorOps::negative_abs(Vec x) {
    return binary(std::move(x), sign_bit(), {&Code::vorps, &Code::vorpd});
}

Vec VectorOps::copy_sign(Vec magnitude, Vec sign) {
    Vec bit = binary(std::move(sign), sign_bit(), {&Code::vandps, &Code::vandpd});
    return binary(std::move(bit), std::move(magnitude), {&Code::vorps, &Code::vorpd});
}

Vec VectorOps::power_of_two(Vec t) {
    t = load(std::move(t));
    const Vec result = t.may_overwrite() ? t : fresh();
    f64() ? code_.vpsllq(vmm(result), vmm(t), kMantissaBits64)
          : code_.vpslld(vmm(result), vmm(t), kMantissaBits32);
    return result;
}

Vec VectorOps::bits(std::uint32_t f32, std::uint64_t f64_bits) {
    return Vec(f64() ? constants_.address64(base_, f64_bits) : constants_.address(base_, f32));
}

Vec VectorOps::truth(bool x) { return x ? bits(~0u, ~std::uint64_t{0}) : bits(0, 0); }

Vec VectorOps::bit_and(Vec a, Vec b) {
    if (!a.in_register()) std::swap(a, b);
    return binary(std::move(a), std::move(b), {&Code::vandps, &Code::vandpd});
}

Vec VectorOps::bit_or(Vec a, Vec b) {
    if (!a.in_register()) std::swap(a, b);
    return binary(std::move(a), std::move(b), {&Code::vorps, &Code::vorpd});
}

Vec VectorOps::bit_xor(Vec a, Vec b) {
    if (!a.in_register()) std::swap(a, b);
    return binary(std::move(a), std::move(b), {&Code::vxorps, &Code::vxorpd});
}

Vec VectorOps::sqrt(Vec x) {
    x = load(std::move(x));
    const Vec result = x.may_overwrite() ? x : fresh();
    f64() ? code_.vsqrtpd(vmm(result), vmm(x)) : code_.vsqrtps(vmm(result), vmm(x));
    return result;
}

// `mode`: of the instruction, without exceptions.
Vec VectorOps::rounded(Vec x, std::uint8_t mode) {
    x = load(std::move(x));
    const Vec result = x.may_overwrite() ? x : fresh();
    if (isa_ == Isa::avx512) {
        f64() ? code_.vrndscalepd(vmm(result), vmm(x), mode)
              : code_.vrndscaleps(vmm(result), vmm(x), mode);
    } else {
        f64() ? code_.vroundpd(vmm(result), vmm(x), mode)
              : code_.vroundps(vmm(result), vmm(x), mode);
    }
    return result;
}

Vec VectorOps::compare(ops::CompareFunction function, Vec a, Vec b) {
    const std::uint8_t predicate = predicate_of(function);
    a = load(std::move(a));
    const Vec result = result_for(a, b);
    with_operand(b, [&](const Operand& op) {
        if (isa_ != Isa::avx512) {
            f64() ? code_.vcmppd(vmm(result), vmm(a), op, predicate)
                  : code_.vcmpps(vmm(result), vmm(a), op, predicate);
            return;
        }
        f64() ? code_.vcmppd(mask_, vmm(a), op, predicate)
              : code_.vcmpps(mask_, vmm(a), op, predicate);
        f64() ? code_.vpmovm2q(vmm(result), mask_) : code_.vpmovm2d(vmm(result), mask_);
    });
    return result;
}

Vec VectorOps::biased_exponent(Vec x) {
    x = load(std::move(x));
    const Vec shifted = x.may_overwrite() ? x : fresh();
    f64() ? code_.vpsrlq(vmm(shifted), vmm(x), kMantissaBits64)
          : code_.vpsrld(vmm(shifted), vmm(x), kMantissaBits32);
    return bit_or(shifted, constant(f64() ? 0x1p52 : 0x1p23));
}

Vec VectorOps::mantissa(Vec x) {
    Vec fraction = bit_and(
        std::move(x), bits((1u << kMantissaBits32) - 1, (std::uint64_t{1} << kMantissaBits64) - 1));
    return bit_or(std::move(fraction), constant(1.0));
}

// AVX2: by the sign bits of `mask`; AVX-512: by the opmask, which is set already.
Vec VectorOps::blend(Vec yes, Vec otherwise, const Vec& mask) {
    if (isa_ == Isa::avx512) {
        return binary(std::move(otherwise), std::move(yes),
                      [&](const Xmm& d, const Xmm& no, const Operand& op) {
                          f64() ? code_.vblendmpd(d | mask_, no, op)
                                : code_.vblendmps(d | mask_, no, op);
                      });
    }
    return binary(
        std::move(otherwise), std::move(yes), [&](const Xmm& d, const Xmm& no, const Operand& op) {
            f64() ? code_.vblendvpd(d, no, op, vmm(mask)) : code_.vblendvps(d, no, op, vmm(mask));
        });
}

Vec VectorOps::select_negative(Vec x, Vec negative, Vec otherwise) {
    x = load(std::move(x));
    if (isa_ == Isa::avx512) {
        f64() ? code_.vpmovq2m(mask_, vmm(x)) : code_.vpmovd2m(mask_, vmm(x));
    }
    return blend(std::move(negative), std::move(otherwise), x);
}

Vec VectorOps::select_less_equal(Vec x, Vec y, Vec yes, Vec otherwise) {
    x = load(std::move(x));
    if (isa_ == Isa::avx512) {
        with_operand(y, [&](const Operand& op) {
            f64() ? code_.vcmppd(mask_, vmm(x), op, kLessEqualQuiet)
                  : code_.vcmpps(mask_, vmm(x), op, kLessEqualQuiet);
        });
        return blend(std::move(yes), std::move(otherwise), x);
    }
    const Vec mask =
        binary(std::move(x), std::move(y), [this](const Xmm& d, const Xmm& a, const Operand& b) {
            f64() ? code_.vcmppd(d, a, b, kLessEqualQuiet) : code_.vcmpps(d, a, b, kLessEqualQuiet);
        });
    return blend(std::move(yes), std::move(otherwise), mask);
}

}  // namespace rondo::cpu::jit
