// Which random models a test runs when it is asked for some, and on each day.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace rondo::test {

/// RONDO_TEST_SEED, if it is set. Throws ModelError for other text than a number.
std::optional<std::uint64_t> one_seed();

struct SeedRange {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
};

/// RONDO_TEST_SEEDS=first:count, if it is set. Throws ModelError for other text.
std::optional<SeedRange> many_seeds();

using SeedCheck = std::function<void(std::uint64_t seed)>;

/// Calls `check` with each.
void check_seeds(const SeedRange& seeds, const SeedCheck& check);

/// Calls `check` with one_seed(), which a failure of a shard says to run, or skips the test.
void with_one_seed(const SeedCheck& check);

/// Calls `check` with each of many_seeds(), for a night, or skips the test.
void with_many_seeds(const SeedCheck& check);

/// The number of days from 1970-01-01 to a date like 2026-11-26, or the number that the text is.
/// Throws ModelError for other text.
std::uint64_t parse_day(const std::string& text);

/// RONDO_TEST_DAY, if it is set, or the day that it is now in UTC.
std::uint64_t test_day();

/// `count` seeds from 1000000000 + 1000 * day on: no other day has them, nor a test of fixed seeds.
/// A day has 1,000 at most.
SeedRange seeds_of_day(std::uint64_t day, std::uint64_t count);

/// Those of test_day() for one of `shards` shards, `count` each. RONDO_TEST_DAY asks for another
/// day.
SeedRange shard_of_today(std::uint64_t shard, std::uint64_t shards, std::uint64_t count);

}  // namespace rondo::test
