// Emits loads and stores of the first elements of a vector, where an array ends inside of it.
#pragma once

#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/jit/vector_io.hpp"

namespace rondo::cpu::jit {

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
    /// The elements at `from` in a register; lanes behind them are zero.
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
