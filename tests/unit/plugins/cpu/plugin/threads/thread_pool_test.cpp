#include "plugins/cpu/plugin/threads/thread_pool.hpp"

#include <gtest/gtest.h>

#include <array>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/support/forked_child.hpp"
#include "tests/unit/plugins/cpu/plugin/threads/fake_clock.hpp"

namespace rondo::cpu::thread_pool_test {
namespace {

using tests::FakeClock;

// Starts each worker on a thread of its own.
class Threads {
public:
    explicit Threads(ThreadPool& pool) : pool_(pool) {}
    ~Threads() {
        pool_.stop();
        for (std::thread& thread : threads_) thread.join();
    }
    void operator()(int worker) {
        ++starts;
        threads_.emplace_back([this, worker] { pool_.work(worker); });
    }

    int starts = 0;

private:
    ThreadPool& pool_;
    std::vector<std::thread> threads_;
};

const auto never = [](int) {};

void expect_each_slice_once(ThreadPool& pool, int slices, FunctionRef<void(int)> start) {
    std::array<std::atomic<int>, 64> count{};
    pool.run(
        slices, [&](int slice) { ++count[static_cast<std::size_t>(slice)]; }, start);
    for (int i = 0; i < 64; ++i) {
        ASSERT_EQ(count[static_cast<std::size_t>(i)], i < slices ? 1 : 0) << "slice " << i;
    }
}

// Runs two slices, of which a worker takes one and calls `at_work` there.
void meet_worker(ThreadPool& pool, FunctionRef<void(int)> start, FunctionRef<void()> at_work) {
    std::atomic<bool> met{false};
    const auto caller = std::this_thread::get_id();
    const auto body = [&](int) {
        if (std::this_thread::get_id() != caller) {
            at_work();
            met = true;
        }
        while (!met) std::this_thread::yield();
    };
    pool.run(2, body, start);
}

// Time passes until the only worker sleeps.
void put_to_sleep(ThreadPool& pool, FakeClock& clock) {
    clock.advance_until_asleep(1, ThreadPool::kSpin);
    EXPECT_FALSE(pool.awake());
}

TEST(ThreadPool, TheCallerFinishesAlone) {
    ThreadPool pool(3, true);
    for (const int slices : {1, 2, 7, 64}) expect_each_slice_once(pool, slices, never);
    EXPECT_FALSE(pool.awake());
}

TEST(ThreadPool, EachSliceIsDoneOnceHoweverManyCome) {
    ThreadPool pool(3, false);
    Threads threads(pool);
    for (int round = 0; round < 3000; ++round) expect_each_slice_once(pool, 2 + round % 7, threads);
}

// Sleepers are woken, not started: each thread starts once.
TEST(ThreadPool, WorkersSleepAndWakeUpAgain) {
    FakeClock clock;
    ThreadPool pool(1, true, clock);
    Threads threads(pool);
    for (int round = 0; round < 30; ++round) {
        meet_worker(pool, threads, [] {});
        put_to_sleep(pool, clock);
    }
    EXPECT_EQ(threads.starts, 1);
}

TEST(ThreadPool, AWorkerSpinsForAWhile) {
    FakeClock clock;
    ThreadPool pool(1, true, clock);
    Threads threads(pool);
    for (int round = 0; round < 30; ++round) meet_worker(pool, threads, [] {});
    EXPECT_TRUE(pool.awake());
    EXPECT_EQ(threads.starts, 1);
}

TEST(ThreadPool, AWorkerWithoutWorkReturnsItsThread) {
    FakeClock clock;
    ThreadPool pool(1, true, clock);
    std::thread worker([&] { pool.work(0); });
    put_to_sleep(pool, clock);
    clock.advance(ThreadPool::kMaxSleep);
    worker.join();
    expect_each_slice_once(pool, 2, never);
}

TEST(ThreadPool, TheFirstExceptionReachesTheCallerWhenAllIsDone) {
    ThreadPool pool(2, false);
    Threads threads(pool);
    for (int round = 0; round < 200; ++round) {
        std::atomic<int> done{0};
        const auto fail_at_2 = [&](int slice) {
            ++done;
            if (slice == 2) throw std::runtime_error("slice 2");
        };
        EXPECT_THROW(pool.run(5, fail_at_2, threads), std::runtime_error);
        EXPECT_EQ(done, 5);
        expect_each_slice_once(pool, 5, threads);
    }
}

TEST(ThreadPool, ABodyMayRunItAgain) {
    ThreadPool pool(2, false);
    Threads threads(pool);
    std::atomic<int> calls{0};
    pool.run(
        4,
        [&](int) {
            pool.run(
                5, [&](int) { ++calls; }, threads);
        },
        threads);
    EXPECT_EQ(calls, 20);
}

// If `start` throws, no worker comes.
TEST(ThreadPool, AStartThatFailsLeavesTheCallerAlone) {
    ThreadPool pool(2, true);
    const auto fail = [](int) { throw std::bad_alloc(); };
    for (int round = 0; round < 3; ++round) expect_each_slice_once(pool, 5, fail);
    Threads threads(pool);
    expect_each_slice_once(pool, 5, threads);
    EXPECT_EQ(threads.starts, 2);
}

// A forked child has the pool's memory, but none of its threads, whether they spin or sleep.
TEST(ThreadPool, AForkedChildWorksAloneAndEnds) {
    for (const bool sleeps : {true, false}) {
        FakeClock clock;
        ThreadPool pool(1, true, clock);
        Threads threads(pool);
        pool.start_workers(threads);
        while (!pool.awake()) std::this_thread::yield();
        if (sleeps) put_to_sleep(pool, clock);
        EXPECT_TRUE(rondo::test::succeeds_in_a_child([&] {
            int sum = 0;
            pool.run(
                3, [&](int slice) { sum += slice; }, never);
            pool.stop();
            return sum == 3;
        })) << sleeps;
        expect_each_slice_once(pool, 2, threads);
    }
}

// Sleeping and waking move workers off the caller's core, but change no mask for good.
TEST(ThreadPool, WorkersKeepTheirCores) {
    const std::vector<int> cores = allowed_cores();
    FakeClock clock;
    ThreadPool pool(1, true, clock);
    Threads threads(pool);
    for (int round = 0; round < 200; ++round) {
        std::vector<int> seen;
        meet_worker(pool, threads, [&] { seen = allowed_cores(); });
        ASSERT_EQ(seen, cores) << "round " << round;
        if (round % 4 == 0) put_to_sleep(pool, clock);
    }
}

TEST(ThreadPool, AWorkerOfAStoppedPoolReturnsAtOnce) {
    ThreadPool pool(1, false);
    pool.stop();
    pool.work(0);
    expect_each_slice_once(pool, 3, never);
}

}  // namespace
}  // namespace rondo::cpu::thread_pool_test
