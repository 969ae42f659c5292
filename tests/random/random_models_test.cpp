// 400 random whole models, every other one with bodies, each at three sizes and twice on one
// compiled model: CPU and REFERENCE agree.
#include <gtest/gtest.h>

#include <fstream>

#include "core/support/env.hpp"
#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/support/isa.hpp"

namespace rondo::test {
namespace {

constexpr int kShards = 10;
constexpr int kModelsAShard = 40;

void expect_agreement(std::uint64_t seed) {
    const std::string isa = isa_of(seed);
    const IsaScope scope(isa);
    EXPECT_EQ(device_difference(random_model(seed)), "")
        << "seed " << seed << " (" << isa << ")"
        << "\n  replay: RONDO_TEST_SEED=" << seed
        << " random_models_tests --gtest_filter=RandomModels.OneSeed";
}

class RandomModels : public ::testing::TestWithParam<int> {};

TEST_P(RandomModels, CpuAgreesWithReference) {
    for (int k = 0; k < kModelsAShard; ++k) {
        expect_agreement(static_cast<std::uint64_t>(GetParam() * kModelsAShard + k));
    }
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomModels, ::testing::Range(0, kShards));

// What a failure of a shard says to run. RONDO_TEST_MODEL names a file to write the model to.
TEST(RandomModels, OneSeed) {
    const auto seed = one_seed();
    if (!seed) GTEST_SKIP() << "no RONDO_TEST_SEED";
    if (const auto path = env("RONDO_TEST_MODEL")) {
        std::ofstream(*path, std::ios::binary) << random_model(*seed).bytes;
    }
    expect_agreement(*seed);
}

// Many more, for a night: RONDO_TEST_SEEDS=first:count.
TEST(RandomModels, ManySeeds) {
    const auto seeds = many_seeds();
    if (!seeds) GTEST_SKIP() << "no RONDO_TEST_SEEDS";
    for (std::uint64_t seed = seeds->first; seed < seeds->end; ++seed) {
        expect_agreement(seed);
    }
}

}  // namespace
}  // namespace rondo::test
