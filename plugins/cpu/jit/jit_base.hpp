// Base of every code generator: write-xor-execute memory, entry and exit code, names for tools.
#pragma once

#include <memory>
#include <string>

#include <xbyak/xbyak.h>

#include "plugins/cpu/jit/constant_table.hpp"
#include "plugins/cpu/jit/register_pool.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu::jit {

/// Throws what xbyak has thrown, and is being handled, as one of ours: std::bad_alloc where memory
/// has run out, Error where the system forbids generated code, else InternalError.
[[noreturn]] void rethrow_xbyak_error();

/// Makes a kernel; what xbyak throws leaves as rethrow_xbyak_error() says.
template <typename Kernel, typename... Args>
std::unique_ptr<Kernel> generate(const Args&... args) {
    try {
        return std::make_unique<Kernel>(args...);
    } catch (const Xbyak::Error&) {
        rethrow_xbyak_error();
    }
}

/// Generates functions `void f(Args*)` for the System V calling convention. The first argument
/// stays in `args`; all other general registers except rsp and rbp are in the pool.
/// RONDO_JIT_DUMP=<folder> writes the code to <folder>/<name>.bin; RONDO_JIT_PERF=1 names it in
/// /tmp/perf-<pid>.map.
class JitBase : public Xbyak::CodeGenerator {
public:
    JitBase(Isa isa, std::string name);

    Isa isa() const { return isa_; }
    int lanes() const { return lanes_of(isa_); }
    int vector_bytes() const { return lanes() * 4; }

    /// Member of the arguments at `offset`.
    Xbyak::Address argument(std::size_t offset) const { return Xbyak::util::ptr[args_ + offset]; }

    Xbyak::Xmm vmm(int index) const;
    Xbyak::Xmm vmm(const Lease& lease) const { return vmm(lease.index()); }
    static Xbyak::Reg64 gpr(const Lease& lease) { return Xbyak::Reg64(lease.index()); }
    /// The lowest register that is free; `role` is for the message if there is none.
    Lease take_gpr(const char* role) { return Lease(general_pool_, role); }
    Lease take_vector(const char* role) { return Lease(vector_pool_, role); }

    /// Saves registers and reserves `stack` bytes at rsp, on a 64-byte boundary.
    void emit_entry(int stack);
    void emit_exit();
    /// The same for code that leaves rbx, rbp and r12 to r15 alone, which are not saved.
    void emit_leaf_entry(int stack);
    void emit_leaf_exit();

    /// Places the constants and makes the code executable and read-only.
    void finish();

protected:
    const Xbyak::Reg64 args_ = Xbyak::util::rdi;
    RegisterPool general_pool_;
    RegisterPool vector_pool_;
    ConstantTable constants_;

private:
    void poison_vectors();
    void dump() const;
    void name_for_perf() const;

    Isa isa_;
    std::string name_;
};

}  // namespace rondo::cpu::jit
