// What a thread that waits needs of the processor: a pause, and a clock that costs little.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#include <x86intrin.h>
#endif

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

}  // namespace rondo::cpu
