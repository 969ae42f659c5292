// Random models whose loops lengthen lists: CPU gives what REFERENCE gives, and the number of plans
// doesn't depend on the number of iterations.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "rondo/core.hpp"
#include "tests/random/growth/growing_model.hpp"
#include "tests/random/minimise/failure_report.hpp"
#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/support/isa.hpp"
#include "tests/unit/plugins/cpu/plugin/run/allocation_counter.hpp"

namespace rondo::test::random_growth_test {
namespace {

constexpr std::uint64_t kShards = 4;
constexpr std::uint64_t kModelsAShard = 30;
constexpr std::uint64_t kDailyModelsAShard = 10;

void expect_agreement(std::uint64_t seed, const std::vector<std::int64_t>& iterations,
                      FailureReport& report) {
    const std::string isa = isa_of(seed);
    const IsaScope scope(isa);
    const RandomModel model = growing_model(seed, iterations);
    const std::string difference = device_difference(model);
    if (difference.empty()) return;
    ADD_FAILURE() << difference << "\nseed " << seed << " (" << isa << ")"
                  << "\n  replay: RONDO_TEST_SEED=" << seed
                  << " random_growth_tests --gtest_filter=RandomGrowth.OneSeed"
                  << report.minimised(model, "growth_" + std::to_string(seed));
}

void expect_agreement(const SeedRange& seeds) {
    FailureReport report(device_difference);
    check_seeds(seeds, [&](std::uint64_t seed) { expect_agreement(seed, {6, 19, 0, 33}, report); });
}

class RandomGrowth : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomGrowth, CpuAgreesWithReference) {
    const std::uint64_t first = GetParam() * kModelsAShard;
    expect_agreement({first, first + kModelsAShard});
}

TEST_P(RandomGrowth, OfToday) {
    expect_agreement(shard_of_today(GetParam(), kShards, kDailyModelsAShard));
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomGrowth, ::testing::Range<std::uint64_t>(0, kShards));

TEST(RandomGrowth, LongLists) {
    FailureReport report(device_difference);
    for (std::uint64_t seed = 900; seed < 912; ++seed) expect_agreement(seed, {400, 150}, report);
}

TEST(RandomGrowth, OneSeed) {
    with_one_seed([](std::uint64_t seed) { expect_agreement({seed, seed + 1}); });
}

TEST(RandomGrowth, ManySeeds) {
    with_many_seeds([](std::uint64_t seed) { expect_agreement({seed, seed + 1}); });
}

// All runs of the model on one request.
std::uint64_t plans_made(const RandomModel& model) {
    const Core core;
    CompiledModel compiled =
        core.compile_model(core.read_model(model.bytes.data(), model.bytes.size()), "CPU");
    InferRequest request = compiled.create_infer_request();
    for (const auto& inputs : model.inputs) {
        for (const auto& [name, value] : inputs) request.set_tensor(name, value);
        request.infer();
    }
    return compiled.metrics().plans_made;
}

TEST(RandomGrowth, PlansDontDependOnTheNumberOfIterations) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const std::uint64_t few = plans_made(growing_model(seed, {100, 100}));
        const std::uint64_t many = plans_made(growing_model(seed, {400, 400}));
        EXPECT_LE(many, few + 12) << "seed " << seed;
        EXPECT_LE(few, 100U) << "seed " << seed;
    }
}

TEST(RandomGrowth, EachLengthIsServedByPlansThatAreThere) {
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        const RandomModel one = growing_model(seed, {200});
        RandomModel all = growing_model(seed, {200, 20, 400, 90, 333, 21});
        // A further length has a plan of the model itself and a few of bodies, never one an
        // iteration.
        EXPECT_LE(plans_made(all), plans_made(one) + 5 * 10) << "seed " << seed;
    }
}

// Allocations of the first inferences, and of one after them.
std::pair<long, long> allocations(std::uint64_t seed, std::int64_t iterations) {
    const RandomModel model = growing_model(seed, {iterations});
    const Core core;
    CompiledModel compiled =
        core.compile_model(core.read_model(model.bytes.data(), model.bytes.size()), "CPU",
                           {{property::kInferenceNumThreads, "1"}});
    InferRequest request = compiled.create_infer_request();
    for (const auto& [name, value] : model.inputs.at(0)) request.set_tensor(name, value);
    const long start = allocation_count();
    for (int i = 0; i < 3; ++i) request.infer();
    const long first = allocation_count();
    request.infer();
    return {first - start, allocation_count() - first};
}

// A call that is prepared again would allocate.
TEST(RandomGrowth, NoLengthIsPreparedAgain) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        for (const std::int64_t iterations : {60, 400}) {
            const auto [first, later] = allocations(seed, iterations);
            EXPECT_GT(first, 100) << "seed " << seed;
            EXPECT_EQ(later, 0) << "seed " << seed << ", " << iterations << " iterations";
        }
    }
}

}  // namespace
}  // namespace rondo::test::random_growth_test
