#include "tests/support/idle_cpu.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace rondo::test::idle_cpu_test {
namespace {

constexpr std::chrono::milliseconds kSpan{40};

// The clock of the process would include it only after the next timer tick; 1 ms is too short for
// one.
TEST(IdleCpu, CountsAThreadThatSpins) {
    std::atomic<bool> stop{false}, runs{false};
    std::thread thread([&] {
        while (!stop) runs = true;
    });
    while (!runs) std::this_thread::yield();
    double used = 0;
    for (int i = 0; i < 50 && used < 500; ++i) {
        used = idle_cpu_microseconds(std::chrono::milliseconds(1));
    }
    stop = true;
    thread.join();
    EXPECT_GE(used, 500);
}

TEST(IdleCpu, LeavesOutTheCallerAndThreadsThatSleep) {
    std::atomic<bool> stop{false};
    std::thread thread([&] { stop.wait(false); });
    std::this_thread::sleep_for(kSpan);  // the thread sleeps now
    const volatile double work = idle_cpu_microseconds(kSpan);
    EXPECT_LT(work, 2000);
    stop = true;
    stop.notify_one();
    thread.join();
}

TEST(IdleCpu, DoesNotWaitForEver) {
    std::atomic<bool> stop{false};
    std::thread thread([&] {
        while (!stop) {
        }
    });
    wait_until_idle();
    stop = true;
    thread.join();
}

}  // namespace
}  // namespace rondo::test::idle_cpu_test
