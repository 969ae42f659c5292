// Emits loads and stores of whole vectors of elements, of every element kind.
#pragma once

#include "plugins/cpu/jit/register_pool.hpp"
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

}  // namespace rondo::cpu::jit
