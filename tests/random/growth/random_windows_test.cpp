// Random models with windows larger than the data: CPU gives what REFERENCE gives, and neither
// refuses them.
#include <gtest/gtest.h>

#include "tests/random/growth/window_model.hpp"
#include "tests/random/minimise/failure_report.hpp"
#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/support/isa.hpp"

namespace rondo::test::random_windows_test {
namespace {

constexpr std::uint64_t kShards = 4;
constexpr std::uint64_t kModelsAShard = 100;
constexpr std::uint64_t kDailyModelsAShard = 25;

void expect_agreement(const SeedRange& seeds) {
    FailureReport report(device_difference);
    check_seeds(seeds, [&](std::uint64_t seed) {
        const std::string isa = isa_of(seed);
        const IsaScope scope(isa);
        const RandomModel model = window_model(seed);
        const std::string difference = device_difference(model);
        if (difference.empty()) return;
        ADD_FAILURE() << difference << "\nseed " << seed << " (" << isa << ")"
                      << "\n  replay: RONDO_TEST_SEED=" << seed
                      << " random_growth_tests --gtest_filter=RandomWindows.OneSeed"
                      << report.minimised(model, "window_" + std::to_string(seed));
    });
}

class RandomWindows : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomWindows, CpuAgreesWithReference) {
    const std::uint64_t first = GetParam() * kModelsAShard;
    expect_agreement({first, first + kModelsAShard});
}

TEST_P(RandomWindows, OfToday) {
    expect_agreement(shard_of_today(GetParam(), kShards, kDailyModelsAShard));
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomWindows, ::testing::Range<std::uint64_t>(0, kShards));

TEST(RandomWindows, OneSeed) {
    with_one_seed([](std::uint64_t seed) { expect_agreement({seed, seed + 1}); });
}

TEST(RandomWindows, ManySeeds) {
    with_many_seeds([](std::uint64_t seed) { expect_agreement({seed, seed + 1}); });
}

}  // namespace
}  // namespace rondo::test::random_windows_test
