// Time and sleep, as the workers of a thread pool have them.
#pragma once

#include <atomic>
#include <chrono>

namespace rondo::cpu {

/// A steady clock, and sleep on a number in memory until another thread changes it. Tests have a
/// clock whose time they set.
class ThreadClock {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    virtual TimePoint now() = 0;

    /// Returns when woken after `number` has changed from `value`, or after `most`; never before.
    virtual void sleep_while(const std::atomic<int>& number, int value,
                             std::chrono::nanoseconds most) = 0;

    /// Wakes the thread that sleeps on `number`, which has been changed.
    virtual void wake(std::atomic<int>& number) = 0;

protected:
    ~ThreadClock() = default;  // clocks are not owned
};

/// The time of the system, which threads sleep by.
ThreadClock& system_clock();

}  // namespace rondo::cpu
