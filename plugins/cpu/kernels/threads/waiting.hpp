// How threads wait for each other, and when one counts as late.
#pragma once

#include <immintrin.h>
#include <x86intrin.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace rondo::cpu {

#if defined(__x86_64__)

/// Lets the other thread of the core run.
inline void spin_pause() { _mm_pause(); }

/// Ticks of the processor's clock.
inline std::uint64_t ticks() { return __rdtsc(); }

/// At about 2.5 GHz: bounds of waits need no more.
inline std::uint64_t ticks_of_microseconds(std::uint64_t time) { return time * 2500; }

#elif defined(__aarch64__)

inline void spin_pause() { asm volatile("isb" ::: "memory"); }

inline std::uint64_t ticks() {
    std::uint64_t count = 0;
    asm volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
}

inline std::uint64_t ticks_of_microseconds(std::uint64_t time) {
    std::uint64_t frequency = 0;
    asm volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
    return time * frequency / 1'000'000;
}

#endif

/// A wait for an item that is alike to one of `item_ticks` means, when it is longer than this, that
/// the thread that has the item lost its core.
inline std::uint64_t late_ticks(std::uint64_t item_ticks) {
    constexpr std::uint64_t kLateMicroseconds = 300;
    constexpr std::uint64_t kLateItems = 4;
    return std::max(ticks_of_microseconds(kLateMicroseconds), kLateItems * item_ticks);
}

/// Lets other threads have the core for some microseconds, or for longer where they are as urgent.
/// Not sched_yield(): Linux then runs a process of the lowest priority for a whole time slice.
inline void offer_core() { std::this_thread::sleep_for(std::chrono::microseconds(20)); }

/// Between two looks at what is waited for since `start`, in ticks(): a pause; where the wait is
/// long the core is offered to others, since whoever is waited for may need it.
inline void pause_or_offer(std::uint64_t start) {
    constexpr std::uint64_t kLongMicroseconds = 300;
    ticks() - start < ticks_of_microseconds(kLongMicroseconds) ? spin_pause() : offer_core();
}

/// to = max(to, value).
inline void raise_to(std::atomic<std::uint64_t>& to, std::uint64_t value) {
    std::uint64_t most = to.load(std::memory_order_relaxed);
    while (value > most && !to.compare_exchange_weak(most, value, std::memory_order_relaxed)) {
    }
}

/// What late threads may cost, in ticks(): a share of the time that the team works. A process of
/// low priority takes a core for some milliseconds now and then, and two threads stay the faster;
/// one of equal priority takes half of a core's time. Used by one thread at a time.
class LateCredit {
public:
    /// The share: an eighth.
    static constexpr std::uint64_t kShare = 8;
    /// The most that is saved up.
    static constexpr std::uint64_t kMostMicroseconds = 8000;

    void add_work(std::uint64_t took) {
        credit_ = std::min(credit_ + took / kShare, ticks_of_microseconds(kMostMicroseconds));
    }
    /// False where that is more than there was; then there is none.
    bool pay(std::uint64_t lost) {
        const bool pays = lost <= credit_;
        credit_ = pays ? credit_ - lost : 0;
        return pays;
    }
    std::uint64_t left() const { return credit_; }

private:
    std::uint64_t credit_ = 0;
};

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
