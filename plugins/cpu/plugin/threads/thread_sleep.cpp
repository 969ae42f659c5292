#include "plugins/cpu/plugin/threads/thread_sleep.hpp"

#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rondo::cpu {
namespace {

using Clock = std::chrono::steady_clock;

static_assert(sizeof(std::atomic<int>) == sizeof(int), "the kernel compares an int");

}  // namespace

void sleep_while(const std::atomic<int>& number, int value, std::chrono::nanoseconds most) {
    const Clock::time_point end = Clock::now() + most;
    while (number.load() == value) {
        const std::chrono::nanoseconds left = end - Clock::now();
        if (left.count() <= 0) return;
        constexpr std::int64_t kBillion = 1'000'000'000;
        const timespec wait{static_cast<time_t>(left.count() / kBillion),
                            static_cast<long>(left.count() % kBillion)};
        ::syscall(SYS_futex, &number, FUTEX_WAIT_PRIVATE, value, &wait, nullptr, 0);
    }
}

void wake_sleeper(std::atomic<int>& number) {
    ::syscall(SYS_futex, &number, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace rondo::cpu
