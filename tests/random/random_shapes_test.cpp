// 500 random models of shape arithmetic, 100 of which are others each day, each at three sizes and
// twice on one compiled model: CPU and REFERENCE agree.
#include <gtest/gtest.h>

#include <fstream>

#include "core/support/process.hpp"
#include "tests/random/minimise/failure_report.hpp"
#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/support/isa.hpp"

namespace rondo::test::random_shapes_test {
namespace {

constexpr std::uint64_t kShards = 10;
constexpr std::uint64_t kModelsAShard = 40;
constexpr std::uint64_t kDailyModelsAShard = 10;

void expect_agreement(std::uint64_t seed, FailureReport& report) {
    const std::string isa = isa_of(seed);
    const IsaScope scope(isa);
    const RandomModel model = random_shape_model(seed);
    const std::string difference = device_difference(model);
    if (difference.empty()) return;
    ADD_FAILURE() << difference << "\nseed " << seed << " (" << isa << ")"
                  << "\n  replay: RONDO_TEST_SEED=" << seed
                  << " random_models_tests --gtest_filter=RandomShapes.OneSeed"
                  << report.minimised(model, "shapes_" + std::to_string(seed));
}

// One report for all: it minimises the first two that fail.
SeedCheck agreement() {
    return [report = FailureReport(device_difference)](std::uint64_t seed) mutable {
        expect_agreement(seed, report);
    };
}

class RandomShapes : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomShapes, CpuAgreesWithReference) {
    const std::uint64_t first = GetParam() * kModelsAShard;
    check_seeds({first, first + kModelsAShard}, agreement());
}

TEST_P(RandomShapes, OfToday) {
    check_seeds(shard_of_today(GetParam(), kShards, kDailyModelsAShard), agreement());
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomShapes, ::testing::Range<std::uint64_t>(0, kShards));

// RONDO_TEST_MODEL names a file to write the model to.
TEST(RandomShapes, OneSeed) {
    with_one_seed([](std::uint64_t seed) {
        if (const auto path = env("RONDO_TEST_MODEL")) {
            std::ofstream(*path, std::ios::binary) << random_shape_model(seed).bytes;
        }
        agreement()(seed);
    });
}

TEST(RandomShapes, ManySeeds) { with_many_seeds(agreement()); }

}  // namespace
}  // namespace rondo::test::random_shapes_test
