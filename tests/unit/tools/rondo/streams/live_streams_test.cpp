#include "tools/rondo/streams/live_streams.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "tests/unit/core/streams/pool_models.hpp"

namespace rondo::tool::live_streams_test {
namespace {

LiveOptions options_of(std::size_t streams) {
    LiveOptions options;
    options.streams = streams;
    options.rate = 200;
    options.seconds = 0.1;
    options.chunks = {{test::row_of(1, 2)}, {test::row_of(3, 4)}};
    return options;
}

TEST(LiveStreams, EveryChunkOfEveryStreamIsAStep) {
    auto model = Core().compile_model(test::running_sum());
    const LiveResult result = run_live(model, options_of(30));
    EXPECT_EQ(result.streams, 30U);
    EXPECT_EQ(result.steps, 600U);
    EXPECT_EQ(result.rejected, 0U);
    EXPECT_EQ(result.failed, 0U);
    EXPECT_EQ(result.latency.count, 540U);  // without the first tenth
    EXPECT_GT(result.latency.median, 0);
    EXPECT_LE(result.latency.median, result.latency.percentile);
    EXPECT_LE(result.latency.percentile, result.p95);
    EXPECT_LE(result.p95, result.latency.p99);
    EXPECT_GT(result.real_time_factor, 1);
    EXPECT_LT(result.real_time_factor, 33);
    EXPECT_GE(result.mean_batch, 1);
    EXPECT_GT(result.threads.running, 0);
    EXPECT_LE(result.threads.running, 1);
    EXPECT_GT(result.driver.running, 0);
}

TEST(LiveStreams, DynamicStepsAreCountedInSpells) {
    auto model = Core().compile_model(test::running_sum());
    LiveOptions options = options_of(30);
    options.bound_ms = 1e-6;
    const LiveResult all_late = run_live(model, options);
    EXPECT_GT(all_late.late_spells, 0U);
    EXPECT_LE(all_late.late_spells, 540U);
    EXPECT_GE(all_late.longest_spell_ms, all_late.latency.max);
    options.bound_ms = 1e6;
    EXPECT_EQ(run_live(model, options).late_spells, 0U);
}

TEST(LiveStreams, CountsStepsThatFail) {
    auto model = Core().compile_model(test::looked_up_sum());
    LiveOptions options = options_of(2);
    options.chunks = {{test::tensor_of<std::int64_t>({1}, {1})},
                      {test::tensor_of<std::int64_t>({1}, {9})}};
    // The plans are made with the first chunk alone.
    const LiveResult result = run_live(model, options);
    EXPECT_EQ(result.failed, 20U);
    EXPECT_EQ(result.steps, 20U);
}

TEST(LiveStreams, AnInterruptionLeavesWhatWasMeasured) {
    auto model = Core().compile_model(test::running_sum());
    LiveOptions options = options_of(4);
    options.seconds = 1000;
    options.goes_on = [](std::size_t pushed) { return pushed < 81; };
    const LiveResult result = run_live(model, options);
    EXPECT_TRUE(result.is_interrupted);
    EXPECT_EQ(result.failed, 0U);
    EXPECT_GE(result.steps, 70U);
    EXPECT_LE(result.steps, 81U);
    EXPECT_GE(result.latency.count, 60U);  // without the first tenth of what there is
}

TEST(LiveStreams, AnInterruptionEndsALongWait) {
    auto model = Core().compile_model(test::running_sum());
    LiveOptions options = options_of(1);
    options.rate = 0.01;
    options.seconds = 1000;  // ten steps
    const auto start = std::chrono::steady_clock::now();
    options.goes_on = [&](std::size_t) {
        return std::chrono::steady_clock::now() - start < std::chrono::milliseconds(200);
    };
    EXPECT_TRUE(run_live(model, options).is_interrupted);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(50));
}

TEST(LiveStreams, FindsTheLargestNumberThatHolds) {
    for (const std::size_t limit : {1U, 5U, 16U, 17U, 100U, 1000U, 5000U}) {
        std::set<std::size_t> tried;
        const auto found = largest_number(16, 4000, [&](std::size_t number) {
            tried.insert(number);
            return number <= limit;
        });
        const std::size_t best = std::min<std::size_t>(limit, 4000);
        EXPECT_LE(found, best);
        EXPECT_GE(found + found / 50 + 1, best);
        EXPECT_LE(tried.size(), 20U);
    }
    EXPECT_EQ(largest_number(16, 4000, [](std::size_t) { return false; }), 0U);
}

}  // namespace
}  // namespace rondo::tool::live_streams_test
