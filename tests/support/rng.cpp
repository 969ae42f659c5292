#include "tests/support/rng.hpp"

#include <iostream>
#include <string>

#include "core/support/process.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::test {
namespace {

constexpr long long kSeed = 20240611;

long long chosen_seed() {
    const auto text = env("RONDO_TEST_SEED");
    if (!text) return kSeed;
    long long seed = 0;
    if (!parse_int(*text, seed)) {
        throw ModelError("RONDO_TEST_SEED is '" + *text + "'; expected a whole number");
    }
    return seed;
}

}  // namespace

Rng test_rng() {
    const long long seed = chosen_seed();
    std::cout << "[ SEED     ] replay with RONDO_TEST_SEED=" << seed << std::endl;
    return Rng(static_cast<std::uint64_t>(seed));
}

double uniform(Rng& rng, double lo, double hi) {
    return lo + (hi - lo) * (static_cast<double>(rng() >> 11) * 0x1p-53);
}

std::int64_t uniform_int(Rng& rng, std::int64_t lo, std::int64_t hi) {
    const std::uint64_t span = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo) + 1;
    const std::uint64_t step = span == 0 ? rng() : rng() % span;  // the slight bias doesn't matter
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(lo) + step);
}

}  // namespace rondo::test
