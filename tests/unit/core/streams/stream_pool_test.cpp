#include "rondo/stream_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>

#include "core/graph/rt_info_keys.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/forked_child.hpp"
#include "tests/unit/core/streams/pool_models.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::test::stream_pool_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::vector<Tensor> inputs(float a, float b) { return {row_of(a, b)}; }

class StreamPoolTest : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Devices, StreamPoolTest, testing::Values("CPU", "REFERENCE"));

TEST_P(StreamPoolTest, KeepsTheStateOfEachStream) {
    const auto pool = pool_of(running_sum(), {}, GetParam());
    std::vector<Stream> streams;
    for (int i = 0; i < 100; ++i) streams.push_back(StreamPool(pool).open());
    for (int round = 1; round <= 3; ++round) {
        std::vector<StreamStep> steps;
        for (int i = 0; i < 100; ++i) {
            steps.push_back(streams[static_cast<std::size_t>(i)].push(inputs(float(i), 1)));
        }
        for (int i = 0; i < 100; ++i) {
            const auto y = steps[static_cast<std::size_t>(i)].get_tensor("y");
            expect_same(y, row_of(static_cast<float>(round * i), static_cast<float>(round)));
        }
    }
}

TEST(StreamPool, RunsStepsOfManyStreamsTogether) {
    StreamPoolOptions options;
    options.max_batch = 16;
    auto pool = pool_of(running_sum(), options);
    EXPECT_EQ(pool.stats().why_not_batched, "");
    std::vector<Stream> streams;
    for (int i = 0; i < 50; ++i) streams.push_back(pool.open());
    std::vector<StreamStep> steps;
    for (int round = 0; round < 20; ++round) {
        for (auto& stream : streams) steps.push_back(stream.push(inputs(1, 2)));
    }
    for (const auto& step : steps) step.wait();
    const StreamPoolStats stats = pool.stats();
    EXPECT_EQ(stats.steps, 1000U);
    EXPECT_EQ(stats.streams, 50U);
    EXPECT_EQ(stats.waiting, 0U);
    EXPECT_LT(stats.batches, 1000U);
    ASSERT_EQ(stats.batch_counts.size(), 17U);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < stats.batch_counts.size(); ++i) sum += i * stats.batch_counts[i];
    EXPECT_EQ(sum, 1000U);
    EXPECT_GT(stats.latency_p50.count(), 0);
    EXPECT_LE(stats.latency_p50, stats.latency_p99);
    EXPECT_LE(stats.latency_p99, stats.latency_max);
    EXPECT_GT(stats.occupancy, 0);
    EXPECT_LE(stats.occupancy, 1);
}

// Steps that share no batch: the other input has no rows, and another value.
TEST(StreamPool, BatchesOnlyStepsWhoseSharedInputsAreEqual) {
    auto pool = pool_of(scaled_sum());
    ASSERT_EQ(pool.stats().why_not_batched, "");
    std::vector<Stream> streams;
    std::vector<StreamStep> steps;
    for (int i = 0; i < 40; ++i) {
        streams.push_back(pool.open());
        const Tensor factor = tensor_of<float>({}, {static_cast<float>(i % 3)});
        steps.push_back(streams.back().push({row_of(1, 10), factor}));
    }
    for (int i = 0; i < 40; ++i) {
        const auto factor = static_cast<float>(i % 3);
        expect_same(steps[static_cast<std::size_t>(i)].get_output_tensor(),
                    row_of(factor, 10 * factor));
    }
}

TEST(StreamPool, GivesAnExceptionToItsOwnStreamAlone) {
    auto pool = pool_of(looked_up_sum());
    std::vector<Stream> streams;
    std::vector<StreamStep> steps;
    for (std::int64_t i = 0; i < 8; ++i) {
        streams.push_back(pool.open());
        streams.back().push(std::vector<Tensor>{tensor_of<std::int64_t>({1}, {0})});
        const std::int64_t row = i == 5 ? 7 : 1;
        steps.push_back(
            streams.back().push(std::vector<Tensor>{tensor_of<std::int64_t>({1}, {row})}));
    }
    for (std::size_t i = 0; i < 8; ++i) {
        if (i == 5) {
            expect_error<ModelError>([&] { steps[i].wait(); }, "7");
        } else {
            expect_same(steps[i].get_output_tensor(), row_of(11, 22));
        }
    }
    // The state is that of before the step that failed.
    const auto step = streams[5].infer(std::vector<Tensor>{tensor_of<std::int64_t>({1}, {2})});
    expect_same(step.get_output_tensor(), row_of(101, 202));
    EXPECT_EQ(pool.stats().failed, 1U);
}

TEST(StreamPool, HasALimitOfStreams) {
    StreamPoolOptions options;
    options.max_streams = 2;
    auto pool = pool_of(running_sum(), options);
    const Stream a = pool.open();
    {
        const Stream b = pool.open();
        expect_error<QueueFullError>([&] { pool.open(); }, "max_streams is 2");
        expect_error<QueueFullError>([&] { (void)a.fork(); }, "max_streams is 2");
    }
    while (pool.stats().streams == 2) std::this_thread::yield();
    EXPECT_TRUE(pool.open());
}

TEST(StreamPool, ClosesIdleStreams) {
    StreamPoolOptions options;
    options.idle_timeout = 20ms;
    auto pool = pool_of(running_sum(), options);
    Stream used = pool.open();
    Stream idle = pool.open();
    const Stream forked = used.fork();
    while (idle.is_open()) {
        if (used.is_open()) used.infer(inputs(1, 1));
        std::this_thread::sleep_for(1ms);
    }
    expect_error<ModelError>([&] { idle.push(inputs(1, 1)); }, "closed");
    while (pool.stats().streams > 0) std::this_thread::sleep_for(1ms);
    EXPECT_FALSE(used.is_open());
    EXPECT_FALSE(forked.is_open());
}

// Many streams whose time ends while steps are pushed to them, the newest first.
TEST(StreamPool, RunsWhatWasPushedBeforeAStreamWasClosed) {
    StreamPoolOptions options;
    options.idle_timeout = 1ms;
    auto pool = pool_of(running_sum(), options);
    std::size_t closed = 0;
    for (int round = 0; round < 300; ++round) {
        std::vector<Stream> streams;
        for (int i = 0; i < 200; ++i) streams.push_back(pool.open());
        std::this_thread::sleep_for(700us + round % 100 * 10us);
        std::vector<StreamStep> steps;
        for (auto stream = streams.rbegin(); stream != streams.rend(); ++stream) {
            try {
                steps.push_back(stream->push(inputs(3, 4)));
            } catch (const ModelError&) {
                EXPECT_FALSE(stream->is_open());
                ++closed;
            }
        }
        for (const StreamStep& step : steps) expect_same(step.get_output_tensor(), row_of(3, 4));
    }
    EXPECT_GT(closed, 0U);
}

TEST(StreamPool, LivesAsLongAsItsStreamsAndSteps) {
    Stream stream;
    StreamStep step;
    {
        auto pool = pool_of(running_sum());
        stream = pool.open();
    }
    step = stream.push(inputs(3, 4));
    expect_same(step.get_output_tensor(), row_of(3, 4));
    stream = {};
    expect_same(step.get_output_tensor(), row_of(3, 4));
}

TEST(StreamPool, WarmsUpWithoutTouchingStreams) {
    auto pool = pool_of(running_sum());
    Stream stream = pool.open();
    stream.infer(inputs(1, 2));
    pool.warm_up(inputs(5, 5));
    expect_same(stream.infer(inputs(1, 2)).get_output_tensor(), row_of(2, 4));
    while (pool.stats().streams > 1) std::this_thread::yield();
    EXPECT_EQ(pool.stats().steps, 2U);
    expect_error<ModelError>([&] { pool.warm_up({row_of(1, 1), row_of(1, 1)}); }, "2 inputs");
}

TEST(StreamPool, RefusesOptionsThatMakeNoSense) {
    StreamPoolOptions options;
    options.max_batch = 0;
    expect_error<ModelError>([&] { pool_of(running_sum(), options); }, "'max_batch'");
    options = {};
    options.max_delay = -1us;
    expect_error<ModelError>([&] { pool_of(running_sum(), options); }, "'max_delay'");
    options = {};
    options.idle_timeout = -1ms;
    expect_error<ModelError>([&] { pool_of(running_sum(), options); }, "'idle_timeout'");
    auto pool = pool_of(running_sum());
    StreamOptions late;
    late.deadline = -1us;
    expect_error<ModelError>([&] { pool.open(late); }, "'deadline'");
    expect_error<ModelError>([] { StreamPool().open(); }, "empty");
    expect_error<ModelError>([] { CompiledModel().create_stream_pool(); }, "empty");
}

TEST(StreamPool, PoolsOfOneModelShareTheProof) {
    auto compiled = Core().compile_model(running_sum("[1,2]"));
    std::vector<std::string> reasons(4);
    std::vector<std::thread> threads;
    for (std::string& reason : reasons) {
        threads.emplace_back(
            [&] { reason = compiled.create_stream_pool({}).stats().why_not_batched; });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_THAT(reasons, testing::Each(HasSubstr("Model::set_batch(-1) opens it")));
}

TEST(StreamPool, SaysWhyStepsAreNotBatched) {
    StreamPoolOptions options;
    options.max_batch = 1;
    EXPECT_THAT(pool_of(running_sum(), options).stats().why_not_batched, HasSubstr("max_batch"));
    auto pool = pool_of(running_sum("[1,2]"));
    EXPECT_THAT(pool.stats().why_not_batched, HasSubstr("Model::set_batch(-1) opens it"));
    Stream a = pool.open();
    Stream b = pool.open();
    for (int i = 1; i < 4; ++i) {
        expect_same(a.infer(inputs(1, 2)).get_output_tensor(),
                    row_of(static_cast<float>(i), static_cast<float>(2 * i)));
        expect_same(b.infer(inputs(2, 2)).get_output_tensor(),
                    row_of(static_cast<float>(2 * i), static_cast<float>(2 * i)));
    }
}

// The pool's threads exist in the parent alone. What the child drops harms neither.
TEST(StreamPool, IsRefusedInAForkedChild) {
    auto pool = pool_of(running_sum());
    Stream stream = pool.open();
    stream.push(inputs(1, 2)).wait();
    EXPECT_TRUE(succeeds_in_a_child([&] {
        expect_error<ModelError>([&] { stream.push(inputs(1, 2)); }, "was forked");
        expect_error<ModelError>([&] { (void)stream.state(); }, "was forked");
        expect_error<ModelError>([&] { stream.cancel(); }, "was forked");
        expect_error<ModelError>([&] { pool.open(); }, "was forked");
        stream = {};
        pool.close();
        pool = {};
        return true;
    }));
    expect_same(stream.infer(inputs(1, 2)).get_output_tensor(), row_of(2, 4));
}

// max_delay gathers steps, but a stream that is alone doesn't wait for others.
TEST(StreamPool, DelaysOnlyWhereOthersMayJoin) {
    StreamPoolOptions options;
    options.max_delay = 50ms;
    options.max_batch = 4;
    options.threads = 1;
    auto pool = pool_of(running_sum(), options);
    Stream alone = pool.open();
    for (int i = 0; i < 20; ++i) alone.push(inputs(1, 1)).wait();
    EXPECT_LT(pool.stats().latency_p50, 50ms);
    Stream others[3] = {pool.open(), pool.open(), pool.open()};
    for (int i = 0; i < 5; ++i) {
        std::vector<StreamStep> steps{alone.push(inputs(1, 1))};
        for (Stream& other : others) steps.push_back(other.push(inputs(1, 1)));
        for (const auto& step : steps) step.wait();
    }
    EXPECT_GE(pool.stats().batch_counts[4], 3U);
}

TEST(StreamPool, RunsStreamsOfHigherPriorityFirst) {
    StreamPoolOptions options;
    options.max_batch = 1;
    options.threads = 1;
    auto pool = pool_of(running_sum(), options);
    StreamOptions high;
    high.priority = 1;
    std::vector<Stream> streams;
    for (int i = 0; i < 20; ++i) {
        streams.push_back(i < 10 ? pool.open() : pool.open(high));
    }
    std::mutex mutex;
    std::vector<int> order;
    std::vector<StreamStep> steps;
    // The first callback holds the pool's thread until all steps have been pushed.
    std::atomic<bool> pushed{false};
    Stream gate = pool.open();
    steps.push_back(gate.push(inputs(1, 1), [&](const StreamStep&) {
        while (!pushed) std::this_thread::yield();
    }));
    for (int i = 0; i < 20; ++i) {
        steps.push_back(streams[static_cast<std::size_t>(i)].push(
            inputs(1, 1), [&order, &mutex, i](const StreamStep&) {
                const std::lock_guard lock(mutex);
                order.push_back(i);
            }));
    }
    pushed = true;
    while (true) {
        const std::lock_guard lock(mutex);
        if (order.size() == 20) break;
    }
    const auto low = std::find_if(order.begin() + 1, order.end(), [](int i) { return i < 10; });
    // All of high priority ran before any of low priority but those that ran while others came.
    EXPECT_GE(low - order.begin(), 10);
}

}  // namespace
}  // namespace rondo::test::stream_pool_test
