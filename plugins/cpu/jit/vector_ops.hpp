// Emits vector arithmetic; the formulas of kernels/math are written over this class.
#pragma once

#include <cstdint>
#include <optional>

#include <xbyak/xbyak.h>

#include "core/ops/elementwise/functions.hpp"
#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu::jit {

/// A vector that generated code will have: in a register, or still in memory.
class Vec {
public:
    Vec() = default;
    explicit Vec(Lease lease) : lease_(std::move(lease)) {}
    explicit Vec(const Xbyak::Address& address) : address_(address) {}

    bool in_register() const { return lease_.holds(); }
    bool may_overwrite() const { return lease_.alone(); }
    int index() const { return lease_.index(); }
    const Xbyak::Address& address() const { return *address_; }

private:
    Lease lease_;
    std::optional<Xbyak::Address> address_;
};

/// The counterpart of PlainOps: each operation emits the instructions that do to every lane, to the
/// bit, what PlainOps of the same precision does to one number. Operands are taken by value: one
/// that was moved in and is used nowhere else gives its register to the result.
class VectorOps {
public:
    using Value = Vec;

    /// `base` holds the address of `constants` while the emitted code runs. Uses opmask k1.
    VectorOps(Xbyak::CodeGenerator& code, Isa isa, RegisterPool& pool, ConstantTable& constants,
              const Xbyak::Reg64& base, Precision precision = Precision::f32)
        : code_(code),
          isa_(isa),
          pool_(pool),
          constants_(constants),
          base_(base),
          precision_(precision) {}

    Precision precision() const { return precision_; }
    /// Numbers in a vector, and the bytes of one.
    int lanes() const { return f64() ? lanes_of(isa_) / 2 : lanes_of(isa_); }
    int lane_bytes() const { return static_cast<int>(bytes_of(precision_)); }

    Vec constant(double value);
    Vec add(Vec a, Vec b);
    Vec sub(Vec a, Vec b);
    Vec mul(Vec a, Vec b);
    Vec div(Vec a, Vec b);
    Vec fma(Vec a, Vec b, Vec c);          ///< a * b + c
    Vec sub_product(Vec c, Vec a, Vec b);  ///< c - a * b
    Vec max(Vec a, Vec b);
    Vec min(Vec a, Vec b);
    Vec abs(Vec x);
    Vec negative_abs(Vec x);
    Vec copy_sign(Vec magnitude, Vec sign);
    Vec power_of_two(Vec t);
    Vec select_negative(Vec x, Vec negative, Vec otherwise);
    Vec select_less_equal(Vec x, Vec y, Vec yes, Vec otherwise);
    Vec sqrt(Vec x);
    Vec floor(Vec x) { return rounded(std::move(x), 9); }
    Vec ceiling(Vec x) { return rounded(std::move(x), 10); }
    Vec round(Vec x) { return rounded(std::move(x), 8); }
    Vec truth(bool x);
    Vec compare(ops::CompareFunction function, Vec a, Vec b);
    Vec bit_and(Vec a, Vec b);
    Vec bit_or(Vec a, Vec b);
    Vec bit_xor(Vec a, Vec b);
    Vec biased_exponent(Vec x);
    Vec mantissa(Vec x);

    /// `x` in a register, loaded where it was in memory.
    Vec load(Vec x);
    /// A whole vector, which must be in a register.
    void store(const Xbyak::Address& to, const Vec& x) { code_.vmovups(to, vmm(x)); }
    Xbyak::Xmm vmm(const Vec& x) const { return vmm(x.index()); }

private:
    using Emit = void (Xbyak::CodeGenerator::*)(const Xbyak::Xmm&, const Xbyak::Operand&,
                                                const Xbyak::Operand&);
    using EmitFused = void (Xbyak::CodeGenerator::*)(const Xbyak::Xmm&, const Xbyak::Xmm&,
                                                     const Xbyak::Operand&);
    // One instruction in its two precisions.
    struct Instruction {
        Emit f32, f64;
    };
    // The forms of a fused multiply-add, see fused().
    struct Fused {
        EmitFused form132, form213, form231;
    };

    Vec bits(std::uint32_t f32, std::uint64_t f64);
    Vec rounded(Vec x, std::uint8_t mode);
    bool f64() const { return precision_ == Precision::f64; }
    Vec sign_bit();
    Vec all_but_sign_bit();
    Vec fresh() { return Vec(Lease(pool_, "result")); }
    Vec result_for(const Vec& a, const Vec& b);
    Vec fused(const Fused& forms, Vec a, Vec b, Vec c);
    Vec blend(Vec yes, Vec otherwise, const Vec& mask);
    Xbyak::Xmm vmm(int index) const;

    // Calls use(operand) with the register or the address of x.
    template <typename Use>
    void with_operand(const Vec& x, Use use) const {
        if (x.in_register()) return use(static_cast<const Xbyak::Operand&>(vmm(x)));
        use(static_cast<const Xbyak::Operand&>(x.address()));
    }

    // Calls emit(result, a, b) with a in a register.
    template <typename Function>
    Vec binary(Vec a, Vec b, Function emit) {
        a = load(std::move(a));
        const Vec result = result_for(a, b);
        with_operand(b, [&](const Xbyak::Operand& op) { emit(vmm(result), vmm(a), op); });
        return result;
    }
    Vec binary(Vec a, Vec b, const Instruction& instruction);

    Xbyak::CodeGenerator& code_;
    Isa isa_;
    RegisterPool& pool_;
    ConstantTable& constants_;
    Xbyak::Reg64 base_;
    Precision precision_;
    Xbyak::Opmask mask_{1};
};

}  // namespace rondo::cpu::jit
