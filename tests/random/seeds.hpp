// Which random models a test runs when it is asked for some.
#pragma once

#include <cstdint>
#include <optional>

namespace rondo::test {

/// RONDO_TEST_SEED, if it is set to a number.
std::optional<std::uint64_t> one_seed();

struct SeedRange {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
};

/// RONDO_TEST_SEEDS=first:count, if it is set. Throws ModelError for other text.
std::optional<SeedRange> many_seeds();

}  // namespace rondo::test
