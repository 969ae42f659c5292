// The pause and the clock of a thread that waits.
#include "plugins/cpu/kernels/threads/waiting.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace rondo::cpu::processor_test {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t microseconds_since(Clock::time_point start) {
    const auto time = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
    return static_cast<std::uint64_t>(time.count());
}

// Processors' clocks differ from the assumed one by less than a factor of four.
TEST(Processor, TicksAreThoseOfTheTimeThatPasses) {
    constexpr std::uint64_t kSleep = 20'000;
    const Clock::time_point start = Clock::now();
    const std::uint64_t before = ticks();
    std::this_thread::sleep_for(std::chrono::microseconds(kSleep));
    const std::uint64_t took = ticks() - before;
    EXPECT_GT(took, ticks_of_microseconds(kSleep) / 4);
    EXPECT_LT(took, ticks_of_microseconds(microseconds_since(start)) * 4);
}

TEST(Processor, APauseEnds) {
    const std::uint64_t before = ticks();
    for (int i = 0; i < 1000; ++i) spin_pause();
    EXPECT_GE(ticks(), before);
}

}  // namespace
}  // namespace rondo::cpu::processor_test
