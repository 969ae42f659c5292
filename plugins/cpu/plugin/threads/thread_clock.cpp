#include "plugins/cpu/plugin/threads/thread_clock.hpp"

#include <cstdint>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rondo::cpu {
namespace {

using Clock = std::chrono::steady_clock;

static_assert(sizeof(std::atomic<int>) == sizeof(int), "the kernel compares an int");

class SystemClock final : public ThreadClock {
public:
    TimePoint now() override { return Clock::now(); }

    void sleep_while(const std::atomic<int>& number, int value,
                     std::chrono::nanoseconds most) override {
        const TimePoint end = now() + most;
        while (number.load() == value) {
            const std::chrono::nanoseconds left = end - now();
            if (left.count() <= 0) return;
            constexpr std::int64_t kBillion = 1'000'000'000;
            const timespec wait{static_cast<time_t>(left.count() / kBillion),
                                static_cast<long>(left.count() % kBillion)};
            ::syscall(SYS_futex, &number, FUTEX_WAIT_PRIVATE, value, &wait, nullptr, 0);
        }
    }

    void wake(std::atomic<int>& number) override {
        ::syscall(SYS_futex, &number, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    }
};

}  // namespace

ThreadClock& system_clock() {
    static SystemClock clock;
    return clock;
}

}  // namespace rondo::cpu
