// A clock whose time a test sets, so that threads sleep and wake without any waiting.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "plugins/cpu/plugin/threads/thread_pool.hpp"

namespace rondo::cpu::tests {

/// Time that only functions of this class move.
class FakeClock final : public ThreadClock {
public:
    TimePoint now() override {
        const std::lock_guard lock(mutex_);
        return now_;
    }

    void sleep_while(const std::atomic<int>& number, int value,
                     std::chrono::nanoseconds most) override {
        std::unique_lock lock(mutex_);
        const TimePoint end = now_ + most;
        ++sleepers_;
        changed_.wait(lock, [&] { return number.load() != value || now_ >= end; });
        --sleepers_;
    }

    void wake(std::atomic<int>&) override {
        const std::lock_guard lock(mutex_);
        changed_.notify_all();
    }

    void advance(std::chrono::nanoseconds time) {
        const std::lock_guard lock(mutex_);
        now_ += time;
        changed_.notify_all();
    }

    /// Lets time pass until so many threads sleep, and no longer.
    void advance_until_asleep(int threads, std::chrono::nanoseconds at_once) {
        for (;;) {
            {
                const std::lock_guard lock(mutex_);
                if (sleepers_ == threads) return;
                now_ += at_once;
            }
            std::this_thread::yield();
        }
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    TimePoint now_{std::chrono::hours(1)};
    int sleepers_ = 0;
};

}  // namespace rondo::cpu::tests
