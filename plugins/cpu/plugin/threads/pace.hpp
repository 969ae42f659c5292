// Measures whether calls follow each other so fast that it pays to wake threads for the next ones.
#pragma once

#include <algorithm>
#include <chrono>

namespace rondo::cpu {

/// Used by one thread at a time.
class Pace {
public:
    using Clock = std::chrono::steady_clock;
    /// From the end of one call to the start of the next: within what a worker stays awake. The
    /// calls themselves may be longer, so time is counted from one start to the next.
    static constexpr std::chrono::microseconds kBrisk{200};
    static constexpr int kCalls = 8;

    /// Call it once a call: true from the kCalls-th call on that came within kBrisk of the previous
    /// one.
    bool is_brisk() { return is_brisk(Clock::now()); }

    /// The same for a given time.
    bool is_brisk(Clock::time_point now) {
        calls_ = now - last_ < kBrisk ? std::min(calls_ + 1, kCalls) : 0;
        last_ = now;
        return calls_ >= kCalls;
    }

private:
    Clock::time_point last_;
    int calls_ = 0;
};

}  // namespace rondo::cpu
