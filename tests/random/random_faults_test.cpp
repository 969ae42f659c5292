// 400 random whole models, 100 others each day, that are fed what they can't take: each error on
// CPU and REFERENCE, of the model as it is, reshaped and as IR, first names a node or tensor of the
// file.
#include <gtest/gtest.h>

#include <string>

#include "tests/random/inject_faults.hpp"
#include "tests/random/minimise/failure_report.hpp"
#include "tests/random/seeds.hpp"
#include "tests/support/isa.hpp"

namespace rondo::test::random_faults_test {
namespace {

constexpr std::uint64_t kShards = 10;
constexpr std::uint64_t kModelsAShard = 40;
constexpr std::uint64_t kFaultsAModel = 2;
constexpr std::uint64_t kDailyModelsAShard = 10;

std::string failure_of(const RandomModel& model) { return report_of_faults(model).failure; }

// The number of errors that nodes gave.
int expect_names(std::uint64_t seed, FailureReport& report) {
    const IsaScope scope(isa_of(seed));
    const RandomModel whole = random_model(seed);
    int errors = 0;
    for (std::uint64_t variant = 0; variant < kFaultsAModel; ++variant) {
        const RandomModel model = with_faults(whole, seed * kFaultsAModel + variant);
        const FaultReport found = report_of_faults(model);
        errors += found.errors_of_runs;
        if (found.failure.empty()) continue;
        ADD_FAILURE() << found.failure << "\nseed " << seed
                      << "\n  replay: RONDO_TEST_SEED=" << seed
                      << " random_models_tests --gtest_filter=RandomFaults.OneSeed"
                      << report.minimised(model, "fault_" + std::to_string(seed));
    }
    return errors;
}

SeedCheck names_check(int& errors) {
    return [&errors, report = FailureReport(failure_of)](std::uint64_t seed) mutable {
        errors += expect_names(seed, report);
    };
}

class RandomFaults : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomFaults, NameWhatTheFileHas) {
    const std::uint64_t first = GetParam() * kModelsAShard;
    int errors = 0;
    check_seeds({first, first + kModelsAShard}, names_check(errors));
    // Else the faults are none, and the test shows nothing.
    EXPECT_GE(errors, static_cast<int>(kModelsAShard) / 4);
}

TEST_P(RandomFaults, OfToday) {
    int errors = 0;
    check_seeds(shard_of_today(GetParam(), kShards, kDailyModelsAShard), names_check(errors));
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomFaults, ::testing::Range<std::uint64_t>(0, kShards));

TEST(RandomFaults, OneSeed) {
    int errors = 0;
    with_one_seed(names_check(errors));
}

TEST(RandomFaults, ManySeeds) {
    int errors = 0;
    with_many_seeds(names_check(errors));
    RecordProperty("errors", errors);
}

}  // namespace
}  // namespace rondo::test::random_faults_test
