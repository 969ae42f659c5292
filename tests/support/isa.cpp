#include "tests/support/isa.hpp"

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

}  // namespace rondo::test
