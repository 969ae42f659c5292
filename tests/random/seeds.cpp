#include "tests/random/seeds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "core/support/process.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::test {
namespace {

using std::chrono::sys_days;

constexpr std::uint64_t kFirstSeedOfDays = 1'000'000'000;
constexpr std::uint64_t kSeedsADay = 1000;
constexpr long long kLastDay = 1'000'000;  // in the year 4707

std::optional<sys_days> parse_date(const std::string& text) {
    const auto parts = split(text, '-');
    long long year = 0, month = 0, day = 0;
    const bool is_date = parts.size() == 3 && parse_int(parts[0], year) &&
                         parse_int(parts[1], month) && parse_int(parts[2], day);
    if (!is_date || year < 1970 || year > 9999 || month < 1 || month > 12) return {};
    if (day < 1 || day > 31) return {};
    const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(year)),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day)));
    if (!date.ok()) return {};
    return sys_days(date);
}

}  // namespace

std::optional<std::uint64_t> one_seed() {
    const auto text = env("RONDO_TEST_SEED");
    if (!text) return {};
    long long seed = 0;
    if (!parse_int(*text, seed)) {
        throw ModelError("RONDO_TEST_SEED is '" + *text + "'; expected a number");
    }
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

void check_seeds(const SeedRange& seeds, const SeedCheck& check) {
    for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) check(seed);
}

void with_one_seed(const SeedCheck& check) {
    const auto seed = one_seed();
    if (!seed) GTEST_SKIP() << "no RONDO_TEST_SEED";
    check(*seed);
}

void with_many_seeds(const SeedCheck& check) {
    const auto seeds = many_seeds();
    if (!seeds) GTEST_SKIP() << "no RONDO_TEST_SEEDS";
    check_seeds(*seeds, check);
}

std::uint64_t parse_day(const std::string& text) {
    long long number = 0;
    if (const auto date = parse_date(text)) {
        number = date->time_since_epoch().count();
    } else if (!parse_int(text, number)) {
        number = -1;
    }
    if (number < 0 || number > kLastDay) {
        throw ModelError("the day is '" + text + "'; expected a date such as 2026-11-26, or days" +
                         " since 1970-01-01");
    }
    return static_cast<std::uint64_t>(number);
}

std::uint64_t test_day() {
    if (const auto text = env("RONDO_TEST_DAY")) return parse_day(*text);
    const auto now = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
    return static_cast<std::uint64_t>(now.time_since_epoch().count());
}

SeedRange seeds_of_day(std::uint64_t day, std::uint64_t count) {
    const std::uint64_t first = kFirstSeedOfDays + day * kSeedsADay;
    return {first, first + std::min(count, kSeedsADay)};
}

SeedRange shard_of_today(std::uint64_t shard, std::uint64_t shards, std::uint64_t count) {
    const std::uint64_t first = seeds_of_day(test_day(), shards * count).first + shard * count;
    return {first, first + count};
}

}  // namespace rondo::test
