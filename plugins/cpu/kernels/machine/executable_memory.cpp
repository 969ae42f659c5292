#include "plugins/cpu/kernels/machine/cpu_features.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "core/support/process.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {

bool can_generate_code() {
    const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* page = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return true;     // a lack of memory, which others will report
    *static_cast<volatile char*>(page) = 0;  // SELinux asks about pages that were written
    const bool allowed = ::mprotect(page, size, PROT_READ | PROT_EXEC) == 0;
    ::munmap(page, size);
    return allowed;
}

Isa usable_isa() {
    const Isa best = best_isa();
    if (best == Isa::plain || can_generate_code()) return best;
    if (!env("RONDO_ISA")) return Isa::plain;
    throw UnsupportedError("environment variable RONDO_ISA is '" + std::string(name_of(best)) +
                           "', but the system forbids generated code; possible here: 'plain'");
}

}  // namespace rondo::cpu
