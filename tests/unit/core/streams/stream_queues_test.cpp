// The queues of steps and the lists of streams.
#include <gtest/gtest.h>

#include <thread>

#include "core/runtime/compiled_model_impl.hpp"
#include "core/streams/step.hpp"
#include "core/streams/stream_queues.hpp"
#include "core/streams/stream_worker.hpp"
#include "tests/unit/core/runtime/fake_device.hpp"

namespace rondo::test::stream_queues_test {
namespace {

TEST(StepQueue, IsFirstInFirstOut) {
    StreamStep::Impl steps[3];
    StepQueue queue;
    EXPECT_TRUE(queue.empty());
    for (auto& step : steps) queue.push(&step);
    EXPECT_EQ(queue.size(), 3U);
    EXPECT_EQ(queue.front(), &steps[0]);
    for (auto& step : steps) EXPECT_EQ(queue.pop(), &step);
    EXPECT_TRUE(queue.empty());
    queue.push(&steps[1]);
    EXPECT_EQ(queue.pop(), &steps[1]);
}

TEST(StepInbox, KeepsTheOrderOfEachThread) {
    constexpr std::size_t kThreads = 4;
    constexpr std::size_t kSteps = 2000;
    std::vector<std::vector<StreamStep::Impl>> steps;
    for (std::size_t i = 0; i < kThreads; ++i) steps.emplace_back(kSteps);
    StepInbox inbox;
    std::vector<std::thread> threads;
    for (auto& own : steps) {
        threads.emplace_back([&own, &inbox] {
            for (auto& step : own) inbox.push(&step);
        });
    }
    std::vector<std::size_t> seen(kThreads);
    for (std::size_t taken = 0; taken < kThreads * kSteps;) {
        for (auto* step = inbox.take(); step != nullptr; ++taken) {
            for (std::size_t i = 0; i < kThreads; ++i) {
                const auto* first = steps[i].data();
                if (step < first || step >= first + kSteps) continue;
                EXPECT_EQ(step, first + seen[i]++);
            }
            step = step->next;
        }
    }
    for (auto& thread : threads) thread.join();
    EXPECT_TRUE(inbox.empty());
    EXPECT_EQ(inbox.take(), nullptr);
}

class StreamLists : public ::testing::Test {
protected:
    std::shared_ptr<StreamRecord> stream(int priority = 0) {
        StreamOptions options;
        options.priority = priority;
        return worker_->open_stream(options);
    }

    static std::shared_ptr<const PoolSettings> settings() {
        auto settings = std::make_shared<PoolSettings>();
        settings->model = fake_model({});
        settings->axes.inputs.resize(1);
        settings->axes.outputs.resize(1);
        return settings;
    }
    std::shared_ptr<StreamWorker> worker_ = std::make_shared<StreamWorker>(settings(), 0);
};

TEST_F(StreamLists, TheMostUrgentIsReadyFirst) {
    using std::chrono::seconds;
    const StreamClock::time_point start;
    ReadyStreams ready;
    const auto late = stream();
    const auto soon = stream();
    const auto soon_too = stream();
    const auto important = stream(1);
    ready.push(late, start + seconds(5));
    ready.push(soon, start + seconds(1));
    ready.push(important, start + seconds(9));
    ready.push(soon_too, start + seconds(1));
    EXPECT_EQ(ready.size(), 4U);
    EXPECT_EQ(ready.pop().stream, important);
    EXPECT_EQ(ready.pop().stream, soon);
    EXPECT_EQ(ready.pop().stream, soon_too);
    EXPECT_EQ(ready.pop().stream, late);
    EXPECT_TRUE(ready.empty());
}

TEST_F(StreamLists, AgesAreInTheOrderOfUse) {
    StreamAges ages;
    const auto a = stream();
    const auto b = stream();
    const auto c = stream();
    EXPECT_EQ(ages.oldest(), nullptr);
    ages.remove(*a);  // isn't in it
    ages.renew(a);
    ages.renew(b);
    ages.renew(c);
    EXPECT_EQ(ages.oldest(), a.get());
    ages.renew(a);
    EXPECT_EQ(ages.oldest(), b.get());
    EXPECT_EQ(ages.newest(), a.get());
    ages.remove(*c);
    EXPECT_EQ(b->newer, a.get());
    ages.remove(*a);
    ages.remove(*b);
    EXPECT_EQ(ages.newest(), nullptr);
    EXPECT_EQ(ages.oldest(), nullptr);
}

TEST_F(StreamLists, AgesKeepTheirStreams) {
    StreamAges ages;
    auto a = stream();
    auto b = stream();
    const std::weak_ptr<StreamRecord> first = a;
    const std::weak_ptr<StreamRecord> second = b;
    ages.renew(a);
    ages.renew(b);
    ages.renew(a);
    a.reset();
    b.reset();
    EXPECT_FALSE(first.expired());
    EXPECT_NE(ages.remove(*ages.newest()), nullptr);
    EXPECT_TRUE(first.expired());
    ages.clear();
    EXPECT_TRUE(second.expired());
}

}  // namespace
}  // namespace rondo::test::stream_queues_test
