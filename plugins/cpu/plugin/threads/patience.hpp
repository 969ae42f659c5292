// The time that a team works alone after its workers were late.
#pragma once

#include <chrono>

namespace rondo::cpu {

/// Workers are late if another program uses their core. A pause, in which the caller works alone,
/// then costs less than waiting for them in every run. The pause doubles each time that they are
/// late again soon after it, so that new attempts cost a few per cent at most. Used by one thread
/// at a time.
class Patience {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kFirst{32};
    static constexpr std::chrono::milliseconds kMost{1024};
    /// If late again within kMemory pauses, the pause doubles; otherwise it restarts at kFirst.
    static constexpr int kMemory = 4;

    bool alone() const { return alone_ && is_before_end(Clock::now()); }
    void note_late() { note_late(Clock::now()); }

    /// The same for a given time.
    bool alone(Clock::time_point now) const { return alone_ && is_before_end(now); }
    void note_late(Clock::time_point now);

private:
    bool is_before_end(Clock::time_point now) const { return now < end_; }

    bool alone_ = false;  // has paused at least once; before, the clock isn't read
    Clock::time_point end_;
    Clock::duration length_{0};
};

}  // namespace rondo::cpu
