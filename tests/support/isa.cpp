#include "tests/support/isa.hpp"

#include <cstdlib>

#include "core/support/env.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::test {

std::vector<std::string> instruction_sets() {
    std::vector<std::string> sets;
    for (const auto isa : {cpu::Isa::avx512, cpu::Isa::avx2, cpu::Isa::plain}) {
        if (isa <= cpu::best_isa()) sets.emplace_back(cpu::name_of(isa));
    }
    return sets;
}

std::string isa_of(std::uint64_t seed) {
    const auto sets = instruction_sets();
    return sets[seed % sets.size()];
}

IsaScope::IsaScope(const std::string& isa) : saved_(env("RONDO_ISA").value_or("")) {
    ::setenv("RONDO_ISA", isa.c_str(), 1);
}

IsaScope::~IsaScope() {
    if (saved_.empty()) {
        ::unsetenv("RONDO_ISA");
    } else {
        ::setenv("RONDO_ISA", saved_.c_str(), 1);
    }
}

}  // namespace rondo::test
