// Random numbers that are the same in every run, on every machine.
#pragma once

#include <cstdint>
#include <random>

namespace rondo::test {

using Rng = std::mt19937_64;

/// A generator seeded with RONDO_TEST_SEED, or with a fixed number; prints the seed, so that a
/// failure says how to replay it. Throws ModelError if the variable isn't a number.
Rng test_rng();

/// A number in [lo, hi), the same with every standard library, unlike std's distributions.
double uniform(Rng& rng, double lo, double hi);

/// An integer in [lo, hi].
std::int64_t uniform_int(Rng& rng, std::int64_t lo, std::int64_t hi);

}  // namespace rondo::test
