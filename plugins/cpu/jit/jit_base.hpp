// Base of every code generator: write-xor-execute memory, entry and exit code, names for tools.
#pragma once

#include <memory>
#include <string>

#include <xbyak/xbyak.h>
#include <cstdint>
#include <vector>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu::jit {

/// A fixed set of register numbers of one kind. A register is free again when its count is 0.
class RegisterPool {
public:
    /// `kind` is for messages: "vector", "general".
    RegisterPool(std::string kind, std::vector<int> registers);

    /// The lowest free register, now used once. Throws InternalError naming `role` and the roles in
    /// use if none is free.
    int take(const char* role);
    void retain(int index) { ++slots_[position(index)].uses; }
    void release(int index) { --slots_[position(index)].uses; }
    int uses(int index) const { return slots_[position(index)].uses; }
    int free_count() const;

private:
    struct Slot {
        int index;
        int uses;
        const char* role;
    };
    std::size_t position(int index) const;

    std::string kind_;
    std::vector<Slot> slots_;
};

/// Holds a register while it lives; copies share it.
class Lease {
public:
    Lease() = default;
    Lease(RegisterPool& pool, const char* role) : pool_(&pool), index_(pool.take(role)) {}
    Lease(const Lease& other) : pool_(other.pool_), index_(other.index_) {
        if (pool_ != nullptr) pool_->retain(index_);
    }
    Lease(Lease&& other) noexcept : pool_(other.pool_), index_(other.index_) {
        other.pool_ = nullptr;
    }
    Lease& operator=(Lease other) noexcept {
        std::swap(pool_, other.pool_);
        std::swap(index_, other.index_);
        return *this;
    }
    ~Lease() {
        if (pool_ != nullptr) pool_->release(index_);
    }

    bool holds() const { return pool_ != nullptr; }
    int index() const { return index_; }
    /// Whether this is the only user, so that the register may be overwritten.
    bool alone() const { return pool_ != nullptr && pool_->uses(index_) == 1; }

private:
    RegisterPool* pool_ = nullptr;
    int index_ = -1;
};

/// Each distinct value is stored once: as 4 or 8 bytes that AVX-512 broadcasts while loading, or
/// repeated over a vector if the instruction set can't.
class ConstantTable {
public:
    explicit ConstantTable(Isa isa) : isa_(isa) {}

    /// `base` must hold the table's address, see load_base().
    Xbyak::Address address(const Xbyak::Reg64& base, std::uint32_t bits);
    /// The same for lanes of 64 bits.
    Xbyak::Address address64(const Xbyak::Reg64& base, std::uint64_t bits);

    /// A vector of the given lanes of 32 bits (not a broadcast).
    Xbyak::Address vector_address(const Xbyak::Reg64& base,
                                  const std::vector<std::uint32_t>& lanes);

    void load_base(Xbyak::CodeGenerator& code, const Xbyak::Reg64& base) { code.mov(base, label_); }

    /// Writes the table at the end of the code.
    void emit(Xbyak::CodeGenerator& code);

private:
    std::size_t find_or_add(const std::vector<std::uint32_t>& words);
    Xbyak::Address repeated(const Xbyak::Reg64& base, const std::vector<std::uint32_t>& value);

    Isa isa_;
    Xbyak::Label label_;
    std::vector<std::uint32_t> words_;
};

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
