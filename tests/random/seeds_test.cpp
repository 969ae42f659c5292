// Seeds that are asked for, and those of a day.
#include "tests/random/seeds.hpp"
#include "tests/support/environment_variable.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::test::seeds_test {
namespace {

TEST(Seeds, ADayIsADateOrANumber) {
    EXPECT_EQ(parse_day("1970-01-01"), 0U);
    EXPECT_EQ(parse_day("2000-02-29"), 11016U);
    EXPECT_EQ(parse_day("2026-11-26"), 20783U);
    EXPECT_EQ(parse_day("20783"), 20783U);
}

TEST(Seeds, OtherTextIsNoDay) {
    for (const char* text : {"", "today", "2026-11", "2026-13-01", "2026-02-30", "2026-00-01",
                             "2026-11-26-1", "1969-12-31", "-1", "1000001"}) {
        expect_error<ModelError>([&] { parse_day(text); },
                                 "the day is '" + std::string(text) + "'; expected a date");
    }
}

TEST(Seeds, NoTwoDaysShareSeeds) {
    const SeedRange today = seeds_of_day(20783, 100);
    EXPECT_EQ(today.first, 1'020'783'000U);
    EXPECT_EQ(today.end, 1'020'783'100U);
    EXPECT_EQ(seeds_of_day(20783, 5000).end, seeds_of_day(20784, 1).first);
}

TEST(Seeds, OneSeedIsANumber) {
    const EnvironmentVariable seed("RONDO_TEST_SEED", "12x");
    expect_error<ModelError>([] { one_seed(); }, "RONDO_TEST_SEED is '12x'; expected a number");
}

TEST(Seeds, ManySeedsAreARange) {
    const EnvironmentVariable range("RONDO_TEST_SEEDS", "7:3");
    std::vector<std::uint64_t> seeds;
    with_many_seeds([&](std::uint64_t seed) { seeds.push_back(seed); });
    EXPECT_EQ(seeds, (std::vector<std::uint64_t>{7, 8, 9}));
    const EnvironmentVariable number("RONDO_TEST_SEEDS", "7");
    expect_error<ModelError>([] { many_seeds(); }, "RONDO_TEST_SEEDS is '7'; expected first:count");
}

TEST(Seeds, TodayIsADay) { EXPECT_GT(test_day(), 20000U); }

}  // namespace
}  // namespace rondo::test::seeds_test
