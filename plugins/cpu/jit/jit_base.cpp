#include "plugins/cpu/jit/jit_base.hpp"

#include <unistd.h>

#include <fstream>
#include <new>
#include <numeric>

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
    push(rbp);
    mov(rbp, rsp);
    if (stack > 0) sub(rsp, stack);
    and_(rsp, -64);
    poison_vectors();
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

}  // namespace rondo::cpu::jit
