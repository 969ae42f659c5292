// How threads wait for each other, and when one counts as late.
#pragma once

#include <immintrin.h>
#include <x86intrin.h>

#include <algorithm>
#include <cstdint>
#include <thread>

namespace rondo::cpu {

/// Ticks of the processor's clock; some 0.4 ns each.
inline std::uint64_t ticks() { return __rdtsc(); }

/// A wait for an item that is alike to one of `item_ticks` means, when it is longer than this, that
/// the thread that has the item lost its core.
inline std::uint64_t late_ticks(std::uint64_t item_ticks) {
    constexpr std::uint64_t kLateTicks = 750'000;
    constexpr std::uint64_t kLateItems = 4;
    return std::max(kLateTicks, kLateItems * item_ticks);
}

/// Between two looks at what is waited for: a pause; from some time on the core is offered to
/// others, since whoever is waited for may need it.
inline void pause_or_yield(int spins) {
    constexpr int kSpinsBeforeYield = 2000;
    spins < kSpinsBeforeYield ? _mm_pause() : std::this_thread::yield();
}

}  // namespace rondo::cpu
