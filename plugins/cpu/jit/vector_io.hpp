// Emits loads and stores of whole vectors of elements, of every element kind.
#pragma once

#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/jit/vector_ops.hpp"
#include "plugins/cpu/kernels/elementwise/program.hpp"

namespace rondo::cpu::jit {

/// In a register, a number is a lane of VectorOps, and a truth value is a lane whose bits are all
/// the same.
class VectorIo {
public:
    VectorIo(Xbyak::CodeGenerator& code, Isa isa, VectorOps& ops, RegisterPool& pool)
        : code_(code), isa_(isa), ops_(ops), pool_(pool) {}

    /// Bytes that a vector of elements takes in memory.
    int bytes(ElementKind kind) const {
        return ops_.lanes() * (kind == ElementKind::truth ? 1 : ops_.lane_bytes());
    }
    /// The truth values at `from` in a register. Uses opmask k1.
    Vec load_truth(const Xbyak::RegExp& from);
    void store(ElementKind kind, const Xbyak::RegExp& to, Vec x);

    /// With AVX-512: truth values of the lanes that `mask` names; the others are false, and their
    /// bytes are not accessed.
    Vec load_truth(const Xbyak::RegExp& from, const Xbyak::Opmask& mask);
    void store_truth(const Xbyak::RegExp& to, const Vec& x, const Xbyak::Opmask& mask);

private:
    bool f64() const { return ops_.precision() == Precision::f64; }
    void spread_truth(const Vec& x);
    void narrow_truth(const Xbyak::Zmm& lanes, const Vec& x);
    void store_truth_avx512(const Xbyak::RegExp& to, const Vec& x);
    void store_truth_avx2(const Xbyak::RegExp& to, const Vec& x);

    Xbyak::CodeGenerator& code_;
    Isa isa_;
    VectorOps& ops_;
    RegisterPool& pool_;
};

/// General registers of the emitted code. `count`: elements that are left, fewer than lanes and
/// not 0. The others are free; `index` and `byte` are used for truth values with AVX2 only.
struct RestRegisters {
    Xbyak::Reg64 count, mask, index, byte;
};

/// No access is outside of the elements that are left. With AVX2, truth values go byte by byte
/// through a slot of the stack, which has room for a vector. Uses opmasks k1 and k2.
class RestIo {
public:
    RestIo(JitBase& code, VectorOps& ops, VectorIo& io, RegisterPool& pool,
           const RestRegisters& registers)
        : code_(code), ops_(ops), io_(io), pool_(pool), registers_(registers) {}

    /// Must come first; the mask stays as long as its registers do.
    void emit_mask(ConstantTable& constants, const Xbyak::Reg64& base);
    /// The elements at `from` in a register; the lanes after them are zero.
    Vec load(ElementKind kind, const Xbyak::RegExp& from, const Xbyak::RegExp& slot);
    void store(ElementKind kind, const Xbyak::RegExp& to, Vec x, const Xbyak::RegExp& slot);

private:
    bool avx512() const { return code_.isa() == Isa::avx512; }
    bool f64() const { return ops_.precision() == Precision::f64; }
    Vec load_numbers(const Xbyak::RegExp& from);
    void store_numbers(const Xbyak::RegExp& to, const Vec& x);
    void load_mask(const Lease& to);
    void copy_bytes(const Xbyak::RegExp& to, const Xbyak::RegExp& from);

    JitBase& code_;
    VectorOps& ops_;
    VectorIo& io_;
    RegisterPool& pool_;
    RestRegisters registers_;
    Xbyak::Opmask mask_{2};  // a bit for each lane
};

}  // namespace rondo::cpu::jit
