// How much of the time threads had a core.
#include <gtest/gtest.h>

#include <sched.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "tools/rondo/streams/live_streams.hpp"

namespace rondo::tool::thread_clocks_test {
namespace {

TEST(ThreadClocks, ASleepingThreadDoesNotRun) {
    ThreadClocks clocks;
    EXPECT_EQ(clocks.shares().running, 0);
    std::atomic<bool> is_noted{false};
    std::atomic<bool> is_over{false};
    std::thread thread([&] {
        clocks.note_once();
        clocks.note_once();
        is_noted = true;
        is_noted.notify_all();
        is_over.wait(false);
    });
    is_noted.wait(false);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_LT(clocks.shares().running, 0.5);
    EXPECT_LT(clocks.shares().waiting, 0.9);
    is_over = true;
    is_over.notify_all();
    thread.join();
}

TEST(ThreadClocks, ABusyThreadHasRunAndNoMoreThanThat) {
    ThreadClocks clocks;
    clocks.note();
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
    while (std::chrono::steady_clock::now() < end) {
    }
    const ThreadShares shares = clocks.shares();
    EXPECT_GT(shares.running, 0);
    EXPECT_LE(shares.running, 1);
    EXPECT_GE(shares.waiting, 0);
    EXPECT_LE(shares.waiting, 1);
}

// Two threads on one core: each waits while the other runs.
TEST(ThreadClocks, AThreadWaitsForACoreThatAnotherHas) {
    cpu_set_t before;
    ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE; ++i) {
        if (!CPU_ISSET(i, &before)) continue;
        CPU_SET(i, &one);
        break;
    }
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    std::atomic<bool> is_over{false};
    std::thread other([&] {
        while (!is_over) {
        }
    });
    ThreadClocks clocks;
    clocks.note();
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    while (std::chrono::steady_clock::now() < end) {
    }
    const ThreadShares shares = clocks.shares();
    is_over = true;
    other.join();
    ::sched_setaffinity(0, sizeof before, &before);
    if (!std::ifstream("/proc/self/schedstat")) GTEST_SKIP() << "this kernel counts no waiting";
    EXPECT_GT(shares.waiting, 0.02);
    EXPECT_LE(shares.waiting + shares.running, 1.2);
}

}  // namespace
}  // namespace rondo::tool::thread_clocks_test
