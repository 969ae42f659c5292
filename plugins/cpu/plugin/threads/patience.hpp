// For how long a team works alone after its helpers were late.
#pragma once

#include <chrono>

namespace rondo::cpu {

/// Helpers are late where another program has their core. Working alone for a while then costs less
/// than waiting for them in every run; the while doubles each time that they are late again soon
/// after it, so that being tried costs a few per cent at most. Used by one thread at a time.
class Patience {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kFirst{32};
    static constexpr std::chrono::milliseconds kMost{1024};
    /// Late again within so many times the last while: it doubles. Later: it starts over.
    static constexpr int kMemory = 4;

    bool alone() const { return alone_ && is_before_end(Clock::now()); }
    void note_late() { note_late(Clock::now()); }

    /// The same for a given time.
    bool alone(Clock::time_point now) const { return alone_ && is_before_end(now); }
    void note_late(Clock::time_point now);

private:
    bool is_before_end(Clock::time_point now) const { return now < end_; }

    bool alone_ = false;  // has been, at least once: spares reading the clock before
    Clock::time_point end_;
    Clock::duration length_{0};
};

}  // namespace rondo::cpu
