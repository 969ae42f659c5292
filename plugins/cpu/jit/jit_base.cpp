#include "plugins/cpu/jit/jit_base.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <new>
#include <numeric>

#include "core/support/errors.hpp"
#include "core/support/process.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu::jit {
namespace {

constexpr std::size_t kFirstBytes = 64 * 1024;  // the buffer grows as needed

std::vector<int> vector_registers(Isa isa) {
    std::vector<int> registers(isa == Isa::avx512 ? 32 : 16);
    std::iota(registers.begin(), registers.end(), 0);
    return registers;
}

std::vector<int> general_registers() {
    using Code = Xbyak::Operand;
    return {Code::RAX, Code::RCX, Code::RDX, Code::RSI, Code::R8,  Code::R9, Code::R10,
            Code::R11, Code::R12, Code::R13, Code::R14, Code::R15, Code::RBX};
}

const Xbyak::Reg64 kSaved[] = {Xbyak::util::rbx, Xbyak::util::r12, Xbyak::util::r13,
                               Xbyak::util::r14, Xbyak::util::r15};

}  // namespace

void rethrow_xbyak_error() {
    try {
        throw;
    } catch (const Xbyak::Error& error) {
        const int code = error;
        if (code == Xbyak::ERR_CANT_ALLOC) throw std::bad_alloc();
        if (code == Xbyak::ERR_CANT_PROTECT) throw Error("the system forbids generated code");
        throw InternalError("a kernel can't be generated: " + std::string(error.what()));
    }
}

JitBase::JitBase(Isa isa, std::string name)
    : CodeGenerator(kFirstBytes, Xbyak::AutoGrow),
      general_pool_("general", general_registers()),
      vector_pool_("vector", vector_registers(isa)),
      constants_(isa),
      isa_(isa),
      name_(std::move(name)) {
    if (isa == Isa::plain)
        throw InternalError("no code is generated for the plain instruction set");
    // Short forward jumps can't be patched in a buffer that grows.
    setDefaultJmpNEAR(true);
}

void JitBase::emit_entry(int stack) {
    for (const auto& saved : kSaved) push(saved);
    emit_leaf_entry(stack);
}

void JitBase::emit_exit() {
    vzeroupper();
    mov(rsp, rbp);
    pop(rbp);
    for (int i = static_cast<int>(std::size(kSaved)) - 1; i >= 0; --i) pop(kSaved[i]);
    ret();
}

void JitBase::emit_leaf_entry(int stack) {
    push(rbp);
    mov(rbp, rsp);
    if (stack > 0) sub(rsp, stack);
    and_(rsp, -64);
    poison_vectors();
}

void JitBase::emit_leaf_exit() {
    vzeroupper();
    leave();
    ret();
}

// A register that is read before it is written then shows as NaN.
void JitBase::poison_vectors() {
#ifndef NDEBUG
    for (int i = 0; i < (isa_ == Isa::avx512 ? 32 : 16); ++i) {
        if (isa_ == Isa::avx512) {
            vpternlogd(vmm(i), vmm(i), vmm(i), 0xff);
        } else {
            vpcmpeqd(vmm(i), vmm(i), vmm(i));
        }
    }
#endif
}

void JitBase::finish() {
    constants_.emit(*this);
    readyRE();
    dump();
    name_for_perf();
}

Xbyak::Xmm JitBase::vmm(int index) const {
    if (isa_ == Isa::avx512) return Xbyak::Zmm(index);
    return Xbyak::Ymm(index);
}

void JitBase::dump() const {
    const auto folder = env("RONDO_JIT_DUMP");
    if (!folder) return;
    const std::string path = *folder + "/" + name_ + ".bin";
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(getCode()), static_cast<std::streamsize>(getSize()));
    if (!file) {
        throw ModelError("environment variable RONDO_JIT_DUMP: cannot write '" + path + "'");
    }
}

void JitBase::name_for_perf() const {
    if (env("RONDO_JIT_PERF").value_or("") != "1") return;
    std::ofstream map("/tmp/perf-" + std::to_string(getpid()) + ".map", std::ios::app);
    map << std::hex << reinterpret_cast<std::uintptr_t>(getCode()) << ' ' << getSize() << ' '
        << name_ << '\n';
}

std::size_t ConstantTable::find_or_add(const std::vector<std::uint32_t>& words) {
    for (std::size_t at = 0; at + words.size() <= words_.size(); at += words.size()) {
        if (std::equal(words.begin(), words.end(), words_.begin() + static_cast<long>(at))) {
            return at;
        }
    }
    // Entries start at a multiple of their size, which find_or_add also relies on.
    while (words_.size() % words.size() != 0) words_.push_back(0);
    words_.insert(words_.end(), words.begin(), words.end());
    return words_.size() - words.size();
}

Xbyak::Address ConstantTable::repeated(const Xbyak::Reg64& base,
                                       const std::vector<std::uint32_t>& value) {
    if (isa_ == Isa::avx512) return Xbyak::util::ptr_b[base + find_or_add(value) * 4];
    std::vector<std::uint32_t> words;
    while (words.size() < static_cast<std::size_t>(lanes_of(isa_))) {
        words.insert(words.end(), value.begin(), value.end());
    }
    return Xbyak::util::ptr[base + find_or_add(words) * 4];
}

Xbyak::Address ConstantTable::address(const Xbyak::Reg64& base, std::uint32_t bits) {
    return repeated(base, {bits});
}

Xbyak::Address ConstantTable::address64(const Xbyak::Reg64& base, std::uint64_t bits) {
    return repeated(base,
                    {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)});
}

Xbyak::Address ConstantTable::vector_address(const Xbyak::Reg64& base,
                                             const std::vector<std::uint32_t>& lanes) {
    return Xbyak::util::ptr[base + find_or_add(lanes) * 4];
}

void ConstantTable::emit(Xbyak::CodeGenerator& code) {
    code.align(64);
    code.L(label_);
    for (std::uint32_t word : words_) code.dd(word);
}

RegisterPool::RegisterPool(std::string kind, std::vector<int> registers) : kind_(std::move(kind)) {
    for (int index : registers) slots_.push_back({index, 0, ""});
}

int RegisterPool::take(const char* role) {
    for (Slot& slot : slots_) {
        if (slot.uses > 0) continue;
        slot.uses = 1;
        slot.role = role;
        return slot.index;
    }
    std::string roles;
    for (const Slot& slot : slots_) roles += std::string(roles.empty() ? "" : ", ") + slot.role;
    internal_error("no " + kind_ + " register left for '" + role + "'; in use: " + roles);
}

int RegisterPool::free_count() const {
    return static_cast<int>(std::count_if(slots_.begin(), slots_.end(),
                                          [](const Slot& slot) { return slot.uses == 0; }));
}

std::size_t RegisterPool::position(int index) const {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        if (slots_[i].index == index) return i;
    }
    internal_error("register " + std::to_string(index) + " is not in the " + kind_ + " pool");
}

}  // namespace rondo::cpu::jit
