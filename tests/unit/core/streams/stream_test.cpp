// One stream: its steps, its state, its queue.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/support/expect_error.hpp"
#include "tests/unit/core/streams/pool_models.hpp"

namespace rondo::test::stream_test {
namespace {

using namespace std::chrono_literals;

std::vector<Tensor> inputs(float a, float b) { return {row_of(a, b)}; }

class StreamTest : public ::testing::Test {
protected:
    StreamPool make_pool(const StreamPoolOptions& options = {}) const {
        return compiled_.create_stream_pool(options);
    }
    // Holds the pool's thread until release().
    void hold(StreamPool& pool) {
        holder_ = pool.open();
        holder_.push(inputs(0, 0), [this](const StreamStep&) {
            is_held_ = true;
            while (!is_released_) std::this_thread::yield();
        });
        while (!is_held_) std::this_thread::yield();
    }
    void release() { is_released_ = true; }

    mutable CompiledModel compiled_ = Core().compile_model(running_sum());
    Stream holder_;
    std::atomic<bool> is_held_{false};
    std::atomic<bool> is_released_{false};
};

TEST_F(StreamTest, TakesInputsByPlaceOrName) {
    auto pool = make_pool();
    Stream stream = pool.open();
    expect_same(stream.infer(inputs(1, 2)).get_output_tensor(0), row_of(1, 2));
    expect_same(stream.infer({{"x", row_of(1, 2)}}).get_tensor("y"), row_of(2, 4));
}

TEST_F(StreamTest, RefusesInputsThatDoNotFit) {
    auto pool = make_pool();
    Stream stream = pool.open();
    expect_error<ModelError>([&] { stream.push(std::vector<Tensor>{}); }, "got 0 inputs");
    expect_error<ModelError>([&] { stream.push({{"z", row_of(1, 2)}}); }, "'z'");
    expect_error<ModelError>([&] { stream.push(std::map<std::string, Tensor>{}); },
                             "input 'x' f32[?,2] was not given");
    expect_error<ModelError>(
        [&] {
            stream.push(std::vector<Tensor>{tensor_of<float>({1, 3}, {1, 2, 3})});
        },
        "[1,3]");
    expect_error<ModelError>(
        [&] {
            stream.push(std::vector<Tensor>{tensor_of<float>({2, 2}, {1, 2, 3, 4})});
        },
        "extent of 1 along the batch (axis 0)");
    const auto step = stream.infer(inputs(1, 2));
    expect_error<ModelError>([&] { (void)step.get_output_tensor(1); }, "no output 1");
    expect_error<ModelError>([&] { (void)step.get_tensor("z"); }, "'z'");
    expect_error<ModelError>([] { Stream().push(std::vector<Tensor>{}); }, "empty");
    expect_error<ModelError>([] { StreamStep().wait(); }, "empty");
}

// The inputs may change once push() has returned, and outputs stay as they are.
TEST_F(StreamTest, CopiesInputsAndKeepsOutputs) {
    auto pool = make_pool();
    Stream stream = pool.open();
    Tensor x = row_of(1, 2);
    std::vector<Tensor> kept;
    for (int i = 0; i < 10; ++i) {
        StreamStep step = stream.push(std::vector<Tensor>{x});
        x.data<float>()[0] += 1;
        kept.push_back(step.get_output_tensor());
    }
    float sum = 0;
    for (int i = 0; i < 10; ++i) {
        sum += static_cast<float>(i + 1);
        expect_same(kept[static_cast<std::size_t>(i)], row_of(sum, 2 * static_cast<float>(i + 1)));
    }
}

TEST_F(StreamTest, ReadsInputsWithStrides) {
    auto pool = make_pool();
    Stream stream = pool.open();
    float data[] = {1, 9, 2, 9};
    const Tensor strided(ElementType::f32, {1, 2}, data, {16, 8});
    expect_same(stream.infer(std::vector<Tensor>{strided}).get_output_tensor(), row_of(1, 2));
}

TEST_F(StreamTest, AScalarTakesOneElementOfAnyRank) {
    auto pool = pool_of(scaled_sum());
    Stream stream = pool.open();
    float sum = 0;
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{1, 1}}) {
        const std::vector<Tensor> by_place{row_of(1, 2), tensor_of<float>(shape, {3})};
        expect_same(stream.infer(by_place).get_tensor("y"), row_of(sum + 3, 2 * (sum + 3)));
        const std::map<std::string, Tensor> by_name{{"factor", by_place[1]}, {"x", by_place[0]}};
        sum += 6;
        expect_same(stream.push(by_name).get_tensor("y"), row_of(sum, 2 * sum));
    }
    const std::vector<Tensor> two{row_of(1, 2), tensor_of<float>({2}, {3, 4})};
    expect_error<ModelError>([&] { stream.push(two); },
                             "input 'factor': got f32[2]; expected f32[]");
}

TEST_F(StreamTest, RunsStepsInTheirOrder) {
    auto pool = make_pool();
    Stream stream = pool.open();
    std::vector<float> seen;
    std::atomic<int> count{0};
    for (int i = 0; i < 50; ++i) {
        stream.push(inputs(1, 1), [&](const StreamStep& step) {
            seen.push_back(step.get_output_tensor().data<float>()[0]);
            ++count;
        });
    }
    while (count < 50) std::this_thread::yield();
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(seen[static_cast<std::size_t>(i)], static_cast<float>(i + 1));
    }
}

TEST_F(StreamTest, ACallbackMayPush) {
    auto pool = make_pool();
    Stream stream = pool.open();
    std::atomic<int> count{0};
    Stream::Callback again = [&](const StreamStep&) {
        if (++count < 10) stream.push(inputs(1, 1), again);
    };
    stream.push(inputs(1, 1), again);
    while (count < 10) std::this_thread::yield();
    expect_same(stream.infer(inputs(0, 0)).get_output_tensor(), row_of(10, 10));
}

TEST_F(StreamTest, ACallbackMayNotWait) {
    auto pool = make_pool();
    Stream stream = pool.open();
    std::atomic<int> state{0};
    stream.push(inputs(1, 1), [&](const StreamStep&) {
        try {
            stream.push(inputs(1, 1)).wait();
            state = 1;
        } catch (const ModelError&) {
            state = 2;
        }
    });
    while (state == 0) std::this_thread::yield();
    EXPECT_EQ(state, 2);
}

TEST_F(StreamTest, ACallbackThatThrowsHarmsNothing) {
    auto pool = make_pool();
    Stream stream = pool.open();
    stream.push(inputs(1, 1), [](const StreamStep&) { throw std::runtime_error("oops"); });
    expect_same(stream.infer(inputs(1, 1)).get_output_tensor(), row_of(2, 2));
}

TEST_F(StreamTest, StateIsReadSetResetAndForked) {
    auto pool = make_pool();
    Stream stream = pool.open();
    expect_same(stream.state().at("sum"), row_of(0, 0));
    for (int i = 0; i < 5; ++i) stream.push(inputs(1, 2));
    expect_same(stream.state().at("sum"), row_of(5, 10));
    Stream other = stream.fork();
    stream.set_state({{"sum", row_of(7, 7)}});
    expect_same(stream.infer(inputs(1, 1)).get_output_tensor(), row_of(8, 8));
    expect_same(other.infer(inputs(1, 1)).get_output_tensor(), row_of(6, 11));
    stream.reset();
    expect_same(stream.infer(inputs(1, 1)).get_output_tensor(), row_of(1, 1));
    expect_same(other.state().at("sum"), row_of(6, 11));
    expect_error<ModelError>([&] { stream.set_state({{"s", row_of(1, 1)}}); }, "there are: 'sum'");
    expect_error<ModelError>(
        [&] {
            stream.set_state({{"sum", tensor_of<float>({2, 2}, {1, 1, 1, 1})}});
        },
        "expected f32[1,2], the state of one stream");
    expect_error<ModelError>([&] { stream.set_state({{"sum", Tensor()}}); }, "empty");
}

// Set between two steps that wait both: the order of the calls counts.
TEST_F(StreamTest, StateChangesInTurn) {
    auto pool = make_pool({.threads = 1});
    Stream stream = pool.open();
    hold(pool);
    const auto before = stream.push(inputs(1, 1));
    stream.set_state({{"sum", row_of(100, 100)}});
    const auto between = stream.push(inputs(1, 1));
    stream.reset();
    const auto after = stream.push(inputs(1, 1));
    release();
    expect_same(before.get_output_tensor(), row_of(1, 1));
    expect_same(between.get_output_tensor(), row_of(101, 101));
    expect_same(after.get_output_tensor(), row_of(1, 1));
}

TEST_F(StreamTest, CancelsAStep) {
    auto pool = make_pool({.threads = 1});
    Stream stream = pool.open();
    hold(pool);
    auto first = stream.push(inputs(1, 1));
    auto second = stream.push(inputs(10, 10));
    auto third = stream.push(inputs(100, 100));
    EXPECT_FALSE(second.is_done());
    EXPECT_FALSE(second.wait_for(1ms));
    second.cancel();
    EXPECT_TRUE(second.is_done());
    expect_error<CancelledError>([&] { second.wait(); }, "cancelled");
    release();
    expect_same(third.get_output_tensor(), row_of(101, 101));
    third.cancel();  // has ended: nothing to do
    expect_same(third.get_output_tensor(), row_of(101, 101));
    EXPECT_EQ(pool.stats().dropped, 1U);
}

TEST_F(StreamTest, CancelsAllThatWait) {
    auto pool = make_pool({.threads = 1});
    Stream stream = pool.open();
    hold(pool);
    std::vector<StreamStep> steps;
    for (int i = 0; i < 5; ++i) steps.push_back(stream.push(inputs(1, 1)));
    stream.cancel();
    const auto behind = stream.push(inputs(1, 1));
    release();
    for (const auto& step : steps) expect_error<CancelledError>([&] { step.wait(); }, "cancelled");
    expect_same(behind.get_output_tensor(), row_of(1, 1));
}

// Its steps are gone before the delay is over for which they would have waited.
TEST_F(StreamTest, CancelsWhatWaitsForOthers) {
    auto pool = make_pool({.max_batch = 4, .max_delay = 50ms, .threads = 1});
    Stream stream = pool.open();
    hold(pool);
    const auto step = stream.push(inputs(1, 1));
    stream.cancel();
    release();
    expect_error<CancelledError>([&] { step.wait(); }, "cancelled");
    expect_same(stream.infer(inputs(1, 2)).get_output_tensor(), row_of(1, 2));
}

TEST_F(StreamTest, ACallbackMayCancelWhileThePoolCloses) {
    auto pool = make_pool({.threads = 1});
    Stream stream = pool.open();
    hold(pool);
    std::vector<StreamStep> steps;
    for (int i = 0; i < 5; ++i) {
        steps.push_back(stream.push(inputs(1, 1), [&](const StreamStep&) { stream.cancel(); }));
    }
    std::thread closer([&] { pool.close(); });
    const auto is_closing = [&] {
        try {
            stream.reset();
            return false;
        } catch (const ModelError&) {
            return true;
        }
    };
    while (!is_closing()) std::this_thread::yield();
    release();
    closer.join();
    for (const auto& step : steps) expect_error<CancelledError>([&] { step.wait(); }, "closed");
}

// While another thread still copies inputs that it pushes, the stream is closed: such a step ends
// with an error, or as usual where it came first.
TEST_F(StreamTest, PushesMayMeetAClose) {
    constexpr std::size_t kElements = 1000000;
    const std::vector<Tensor> large{Tensor(ElementType::f32, {1, kElements})};
    compiled_ = Core().compile_model(running_sum("[?,1000000]"));
    for (int round = 0; round < 20; ++round) {
        auto pool = make_pool({.threads = 1});
        std::atomic<bool> is_released{false};
        Stream busy = pool.open();
        Stream stream = pool.open();
        busy.push(large, [&](const StreamStep&) {
            while (!is_released) std::this_thread::yield();
        });
        const StreamStep first = stream.push(large);
        std::atomic<bool> is_pushing{false};
        std::thread pusher([&] {
            is_pushing = true;
            try {
                stream.push(large).wait();
            } catch (const ModelError& error) {
                EXPECT_NE(std::string(error.what()).find("closed"), std::string::npos);
            }
        });
        while (!is_pushing) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::microseconds(50 * round));
        stream.close();
        is_released = true;
        pusher.join();
        first.wait();
        busy.infer(large);
        EXPECT_EQ(pool.stats().streams, 1U);
        EXPECT_EQ(pool.stats().waiting, 0U);
    }
}

TEST_F(StreamTest, ARunsOutQueueRejects) {
    auto pool = make_pool({.threads = 1, .queue_limit = 3});
    Stream stream = pool.open();
    hold(pool);
    std::vector<StreamStep> steps;
    for (int i = 0; i < 3; ++i) steps.push_back(stream.push(inputs(1, 1)));
    expect_error<QueueFullError>([&] { stream.push(inputs(1, 1)); }, "queue_limit is 3");
    release();
    expect_same(steps[2].get_output_tensor(), row_of(3, 3));
    EXPECT_EQ(pool.stats().rejected, 1U);
    expect_same(stream.infer(inputs(1, 1)).get_output_tensor(), row_of(4, 4));
}

TEST_F(StreamTest, AFullQueueDropsTheOldest) {
    auto pool = make_pool({.threads = 1, .queue_limit = 2, .overflow = Overflow::drop_oldest});
    Stream stream = pool.open();
    hold(pool);
    std::vector<StreamStep> steps;
    for (int i = 0; i < 5; ++i) steps.push_back(stream.push(inputs(1, 1)));
    release();
    expect_same(steps[4].get_output_tensor(), row_of(2, 2));
    expect_same(steps[3].get_output_tensor(), row_of(1, 1));
    for (std::size_t i = 0; i < 3; ++i) {
        expect_error<CancelledError>([&] { steps[i].wait(); }, "dropped");
    }
    EXPECT_EQ(pool.stats().dropped, 3U);
}

TEST_F(StreamTest, AFullQueueBlocks) {
    auto pool = make_pool({.threads = 1, .queue_limit = 2, .overflow = Overflow::block});
    Stream stream = pool.open();
    hold(pool);
    stream.push(inputs(1, 1));
    stream.push(inputs(1, 1));
    std::atomic<bool> is_through{false};
    std::thread third([&] {
        stream.push(inputs(1, 1));
        is_through = true;
    });
    std::this_thread::sleep_for(5ms);
    EXPECT_FALSE(is_through);
    release();
    third.join();
    expect_same(stream.infer(inputs(1, 1)).get_output_tensor(), row_of(4, 4));
}

TEST_F(StreamTest, RunsWhatWasPushedBeforeItWasClosed) {
    auto pool = make_pool({.threads = 1});
    StreamStep last;
    {
        Stream stream = pool.open();
        hold(pool);
        for (int i = 0; i < 4; ++i) last = stream.push(inputs(1, 1));
        stream.close();
        EXPECT_FALSE(stream.is_open());
        expect_error<ModelError>([&] { stream.push(inputs(1, 1)); }, "closed");
        expect_error<ModelError>([&] { (void)stream.state(); }, "closed");
    }
    release();
    expect_same(last.get_output_tensor(), row_of(4, 4));
    holder_ = {};
    while (pool.stats().streams > 0) std::this_thread::yield();
}

// Its state begins at zeros, not with what the stream before it left in the same memory.
TEST_F(StreamTest, ANewStreamStartsFromTheBeginning) {
    auto pool = make_pool();
    for (int i = 0; i < 20; ++i) {
        Stream stream = pool.open();
        expect_same(stream.infer(inputs(1, 2)).get_output_tensor(), row_of(1, 2));
    }
}

}  // namespace
}  // namespace rondo::test::stream_test
