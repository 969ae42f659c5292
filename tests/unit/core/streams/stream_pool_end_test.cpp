// How a stream pool ends: by close(), with its last handle, and while others use it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "core/support/api_boundary.hpp"
#include "rondo/stream_pool.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/streams/pool_models.hpp"

namespace rondo::test::stream_pool_end_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::vector<Tensor> inputs(float a, float b) { return {row_of(a, b)}; }

// The worker ends a task of the oldest stream, whose neighbour in its list has gone. valgrind and
// the sanitizers see whether that is touched.
TEST(StreamPoolEnd, StreamsMayGoWhileItCloses) {
    StreamPoolOptions options;
    options.threads = 1;
    auto pool = pool_of(running_sum(), options);
    Stream oldest = pool.open();
    Stream goes = pool.open();
    Stream newest = pool.open();
    oldest.infer(inputs(1, 2));
    goes.infer(inputs(1, 2));
    std::atomic<bool> is_called{false};
    std::atomic<bool> may_end{false};
    newest.push(inputs(1, 2), [&](const StreamStep&) {
        is_called = true;
        while (!may_end) std::this_thread::yield();
    });
    while (!is_called) std::this_thread::yield();
    std::thread resets([&] {
        try {
            oldest.reset();
        } catch (const Error&) {  // the pool was closed first
        }
    });
    std::this_thread::sleep_for(20ms);
    std::thread closes([&] { pool.close(); });
    while (goes.is_open()) std::this_thread::yield();
    goes = {};
    may_end = true;
    closes.join();
    resets.join();
    EXPECT_FALSE(oldest.is_open());
    expect_error<ModelError>([&] { oldest.push(inputs(1, 2)); }, "the stream pool is closed");
}

// A push is refused, or its step ends and calls back once, on a thread of the pool.
TEST(StreamPoolEnd, PushesMayMeetItsClose) {
    constexpr int kPushers = 3;
    for (int round = 0; round < 150; ++round) {
        StreamPoolOptions options;
        options.threads = 2;
        options.queue_limit = 4;
        options.overflow = Overflow::block;
        auto pool = pool_of(running_sum(), options);
        std::atomic<int> taken{0};
        std::atomic<int> called{0};
        std::atomic<int> begun{0};
        std::atomic<bool> is_called_elsewhere{false};
        std::vector<std::thread> pushers;
        for (int i = 0; i < kPushers; ++i) {
            pushers.emplace_back([&, stream = pool.open()]() mutable {
                const auto own = std::this_thread::get_id();
                ++begun;
                std::vector<StreamStep> steps;
                try {
                    while (true) {
                        steps.push_back(stream.push(inputs(1, 2), [&, own](const StreamStep&) {
                            if (std::this_thread::get_id() == own) is_called_elsewhere = true;
                            ++called;
                        }));
                        ++taken;
                    }
                } catch (const ModelError& error) {
                    EXPECT_THAT(error.what(), HasSubstr("the stream pool is closed"));
                }
                for (const StreamStep& step : steps) {
                    static_cast<void>(problem_of([&] { step.wait(); }));  // or it was cancelled
                }
            });
        }
        while (begun < kPushers) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::microseconds(20 * (round % 50)));
        pool.close();
        for (auto& pusher : pushers) pusher.join();
        EXPECT_EQ(called, taken);
        EXPECT_FALSE(is_called_elsewhere);
        EXPECT_EQ(pool.stats().waiting, 0);
    }
}

TEST(StreamPoolEnd, CancelsWhatWaitsWhereItIsClosed) {
    auto pool = pool_of(running_sum());
    Stream stream = pool.open();
    std::vector<StreamStep> steps;
    for (int i = 0; i < 60; ++i) steps.push_back(stream.push(inputs(1, 1)));
    pool.close();
    int ended = 0;
    for (const auto& step : steps) {
        try {
            step.wait();
            ++ended;
        } catch (const CancelledError&) {
        }
    }
    EXPECT_LE(ended, 60);
    expect_error<ModelError>([&] { stream.push(inputs(1, 1)); }, "closed");
    expect_error<ModelError>([&] { pool.open(); }, "closed");
}

TEST(StreamPoolEnd, EndsPushedStepsWhenTheLastHandleGoes) {
    for (const std::size_t threads : {1, 2}) {
        std::vector<StreamStep> steps;
        {
            auto pool = pool_of(running_sum(), {.threads = threads});
            for (int i = 0; i < 8; ++i) {
                Stream stream = pool.open();
                for (int step = 0; step < 20; ++step) steps.push_back(stream.push(inputs(1, 2)));
            }
        }
        for (std::size_t i = 0; i < steps.size(); ++i) {
            ASSERT_TRUE(steps[i].is_done());
            const auto count = static_cast<float>(i % 20 + 1);
            expect_same(steps[i].get_output_tensor(), row_of(count, 2 * count));
        }
    }
}

// The callback runs on a thread of the pool, which can't wait for itself.
TEST(StreamPoolEnd, EndsPushedStepsWhenACallbackHoldsTheLastHandle) {
    auto pool = pool_of(running_sum(), {.threads = 1});
    auto stream = std::make_shared<Stream>(pool.open());
    std::atomic<bool> may_end{false};
    const StreamStep first = stream->push(inputs(1, 2), [&may_end, stream](const StreamStep&) {
        while (!may_end) std::this_thread::yield();
    });
    const StreamStep last = stream->push(inputs(1, 2));
    stream.reset();
    pool = {};
    may_end = true;
    first.wait();
    expect_same(last.get_output_tensor(), row_of(2, 4));
}

}  // namespace
}  // namespace rondo::test::stream_pool_end_test
