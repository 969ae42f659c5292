#include "tests/random/seeds.hpp"

#include "core/support/env.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::test {

std::optional<std::uint64_t> one_seed() {
    long long seed = 0;
    const auto text = env("RONDO_TEST_SEED");
    if (!text || !parse_int(*text, seed)) return {};
    return static_cast<std::uint64_t>(seed);
}

std::optional<SeedRange> many_seeds() {
    const auto text = env("RONDO_TEST_SEEDS");
    if (!text) return {};
    const auto colon = text->find(':');
    long long first = 0, count = 0;
    const bool is_range = colon != std::string::npos && parse_int(text->substr(0, colon), first) &&
                          parse_int(text->substr(colon + 1), count);
    if (!is_range) throw ModelError("RONDO_TEST_SEEDS is '" + *text + "'; expected first:count");
    return SeedRange{static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(first + count)};
}

}  // namespace rondo::test
