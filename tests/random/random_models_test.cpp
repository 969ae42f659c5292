// 500 random whole models, 100 of which are others each day, every other one with bodies, each at
// three sizes and twice on one compiled model: CPU and REFERENCE agree. So they do on those that
// once failed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/support/process.hpp"
#include "tests/random/minimise/failure_report.hpp"
#include "tests/random/minimise/fixture.hpp"
#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/support/isa.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::test::random_models_test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kShards = 10;
constexpr std::uint64_t kModelsAShard = 40;
constexpr std::uint64_t kDailyModelsAShard = 10;

void expect_agreement(std::uint64_t seed, FailureReport& report) {
    const std::string isa = isa_of(seed);
    const IsaScope scope(isa);
    const RandomModel model = random_model(seed);
    const std::string difference = device_difference(model);
    if (difference.empty()) return;
    ADD_FAILURE() << difference << "\nseed " << seed << " (" << isa << ")"
                  << "\n  replay: RONDO_TEST_SEED=" << seed
                  << " random_models_tests --gtest_filter=RandomModels.OneSeed"
                  << report.minimised(model, "seed_" + std::to_string(seed));
}

void expect_agreement(const SeedRange& seeds) {
    FailureReport report(device_difference);
    check_seeds(seeds, [&](std::uint64_t seed) { expect_agreement(seed, report); });
}

// In the order of their names.
std::vector<fs::path> regressions() {
    const fs::path root = RONDO_SOURCE_DIR "/tests/random/regressions";
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(root)) folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    return folders;
}

class RandomModels : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomModels, CpuAgreesWithReference) {
    const std::uint64_t first = GetParam() * kModelsAShard;
    expect_agreement({first, first + kModelsAShard});
}

TEST_P(RandomModels, OfToday) {
    expect_agreement(shard_of_today(GetParam(), kShards, kDailyModelsAShard));
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomModels, ::testing::Range<std::uint64_t>(0, kShards));

// RONDO_TEST_MODEL names a file to write the model to.
TEST(RandomModels, OneSeed) {
    with_one_seed([](std::uint64_t seed) {
        if (const auto path = env("RONDO_TEST_MODEL")) {
            std::ofstream(*path, std::ios::binary) << random_model(seed).bytes;
        }
        expect_agreement({seed, seed + 1});
    });
}

TEST(RandomModels, ManySeeds) {
    FailureReport report(device_difference);
    with_many_seeds([&](std::uint64_t seed) { expect_agreement(seed, report); });
}

// Minimal models of faults that are mended, on each instruction set.
TEST(RandomModels, Regressions) {
    const std::vector<fs::path> folders = regressions();
    ASSERT_FALSE(folders.empty());
    for (const fs::path& folder : folders) {
        const RandomModel model = read_fixture(folder);
        for (const auto& isa : instruction_sets()) {
            const IsaScope scope(isa);
            EXPECT_EQ(device_difference(model), "") << folder.filename() << " (" << isa << ")";
        }
    }
}

}  // namespace
}  // namespace rondo::test::random_models_test
