#include "rondo/c/stream_pool.h"

#include "tests/unit/bindings/c/c_streams.hpp"

namespace rondo::test::stream_pool_test {
namespace {

PoolInfoHandle stats_of(const PoolHandle& pool) {
    rondo_stream_pool_info_t* info = nullptr;
    expect_ok(rondo_stream_pool_stats(pool.get(), &info));
    return PoolInfoHandle(info);
}

rondo_status_t create(const rondo_stream_pool_options_t& options) {
    rondo_stream_pool_t* pool = nullptr;
    const rondo_status_t status =
        rondo_compiled_model_create_stream_pool(compile_stateful().get(), &options, &pool);
    EXPECT_EQ(pool == nullptr, status != RONDO_OK);
    rondo_stream_pool_free(pool);
    return status;
}

TEST(CStreamPool, CountsWhatItDoes) {
    rondo_stream_pool_options_t options = RONDO_STREAM_POOL_OPTIONS_INIT;
    options.max_batch = 4;
    options.threads = 1;
    const auto pool = make_pool(&options);
    std::vector<StreamHandle> streams;
    std::vector<StepHandle> steps;
    {
        const Hold hold(pool);
        for (int i = 0; i < 6; ++i) {
            streams.push_back(open_stream(pool));
            steps.push_back(push(streams.back(), 1));
        }
        EXPECT_EQ(stats_of(pool)->waiting, 6u);
    }
    const auto expected = output_of(steps[0].get());
    for (const auto& step : steps) EXPECT_EQ(output_of(step.get()), expected);
    const auto info = stats_of(pool);
    EXPECT_STREQ(info->why_not_batched, "");
    EXPECT_EQ(info->steps, 7u);
    EXPECT_EQ(info->waiting, 0u);
    EXPECT_GE(info->streams, 6u);
    ASSERT_EQ(info->batch_count_size, 5u);
    EXPECT_EQ(info->batch_counts[4], 1u);  // the held thread found six streams
    EXPECT_EQ(info->batch_counts[2], 1u);
    EXPECT_GT(info->latency_p50_ns, 0);
    EXPECT_LE(info->latency_p90_ns, info->latency_p99_ns);
    EXPECT_LE(info->latency_p99_ns, info->latency_max_ns);
    EXPECT_GT(info->occupancy, 0);
}

TEST(CStreamPool, HasDefaultsWithoutOptions) {
    EXPECT_EQ(stats_of(make_pool())->batch_count_size, 65u);
    rondo_stream_pool_options_t options = RONDO_STREAM_POOL_OPTIONS_INIT;
    options.max_batch = 1;
    EXPECT_NE(std::string(stats_of(make_pool(&options))->why_not_batched).find("max_batch"),
              std::string::npos);
}

TEST(CStreamPool, RefusesOptionsThatMakeNoSense) {
    rondo_stream_pool_options_t options = RONDO_STREAM_POOL_OPTIONS_INIT;
    options.max_delay_us = -1;
    expect_status(create(options), RONDO_MODEL_ERROR, "'max_delay'");
    options.max_delay_us = INT64_MAX;
    expect_status(create(options), RONDO_MODEL_ERROR, "'max_delay'");
    options = RONDO_STREAM_POOL_OPTIONS_INIT;
    options.max_batch = 0;
    expect_status(create(options), RONDO_MODEL_ERROR, "'max_batch'");
    options = RONDO_STREAM_POOL_OPTIONS_INIT;
    options.idle_timeout_ms = -1;
    expect_status(create(options), RONDO_MODEL_ERROR, "'idle_timeout'");
    options.idle_timeout_ms = INT64_MAX;
    expect_ok(create(options));
    options.overflow = static_cast<rondo_overflow_t>(3);
    expect_status(create(options), RONDO_INVALID_ARGUMENT, "an overflow of 3");
    options = {};
    expect_status(create(options), RONDO_INVALID_ARGUMENT, "RONDO_STREAM_POOL_OPTIONS_INIT");
}

TEST(CStreamPool, OpensStreamsUpToItsLimit) {
    rondo_stream_pool_options_t options = RONDO_STREAM_POOL_OPTIONS_INIT;
    options.max_streams = 1;
    const auto pool = make_pool(&options);
    const auto first = open_stream(pool);
    rondo_stream_t* second = nullptr;
    expect_status(rondo_stream_pool_open(pool.get(), nullptr, &second), RONDO_QUEUE_FULL,
                  "max_streams is 1");
    EXPECT_EQ(second, nullptr);
    rondo_stream_options_t late = RONDO_STREAM_OPTIONS_INIT;
    late.deadline_us = -1;
    expect_status(rondo_stream_pool_open(pool.get(), &late, &second), RONDO_MODEL_ERROR,
                  "'deadline'");
    late = {};
    expect_status(rondo_stream_pool_open(pool.get(), &late, &second), RONDO_INVALID_ARGUMENT,
                  "RONDO_STREAM_OPTIONS_INIT");
}

TEST(CStreamPool, IsWarmedUpAndClosed) {
    const auto pool = make_pool();
    const auto stream = open_stream(pool);
    const auto x = input_of(1);
    const rondo_tensor_t* const inputs[] = {x.get(), nullptr};
    expect_ok(rondo_stream_pool_warm_up(pool.get(), inputs, 1));
    EXPECT_EQ(stats_of(pool)->steps, 0u);
    expect_status(rondo_stream_pool_warm_up(pool.get(), inputs, 2), RONDO_INVALID_ARGUMENT,
                  "rondo_stream_pool_warm_up: 'inputs' is NULL");
    expect_ok(rondo_stream_pool_close(pool.get()));
    rondo_stream_step_t* step = nullptr;
    expect_status(rondo_stream_push(stream.get(), inputs, 1, &step), RONDO_MODEL_ERROR, "closed");
    rondo_stream_t* other = nullptr;
    expect_status(rondo_stream_pool_open(pool.get(), nullptr, &other), RONDO_MODEL_ERROR, "closed");
}

}  // namespace
}  // namespace rondo::test::stream_pool_test
