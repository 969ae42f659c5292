// How long others do the work of threads that were late.
#pragma once

#include <algorithm>
#include <chrono>

namespace rondo::cpu {

/// Threads are late where another process uses their core. A pause, in which others do their work,
/// then costs less than waiting for them every time. The pause doubles each time that they are late
/// again soon after it, so that new attempts cost a few per cent at most. Used by one thread at a
/// time.
class BackOff {
public:
    using Clock = std::chrono::steady_clock;
    /// The longest pause, in units of the first.
    static constexpr int kMaxGrowth = 32;
    /// If late again within kMemory pauses, the pause doubles; otherwise it restarts at the first.
    static constexpr int kMemory = 4;

    constexpr explicit BackOff(Clock::duration first) : first_(first) {}

    /// Whether a pause lasts. Doesn't read the clock before the first one.
    bool pausing() const { return length_ != Clock::duration(0) && pausing(Clock::now()); }
    void note_late() { note_late(Clock::now()); }

    /// The same for a given time.
    bool pausing(Clock::time_point now) const { return now < end_; }
    void note_late(Clock::time_point now) {
        const bool again = length_ != Clock::duration(0) && now < end_ + kMemory * length_;
        length_ = again ? std::min(2 * length_, kMaxGrowth * first_) : first_;
        end_ = now + length_;
    }

private:
    Clock::duration first_;
    Clock::duration length_{0};  // of the last pause; 0 before the first
    Clock::time_point end_ = Clock::time_point::min();
};

}  // namespace rondo::cpu
