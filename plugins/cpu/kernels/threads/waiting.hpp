// How threads wait for each other, and when one counts as late.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>

#include "plugins/cpu/kernels/machine/processor.hpp"

namespace rondo::cpu {

/// A wait for an item that is alike to one of `item_ticks` means, when it is longer than this, that
/// the thread that has the item lost its core.
inline std::uint64_t late_ticks(std::uint64_t item_ticks) {
    constexpr std::uint64_t kLateMicroseconds = 300;
    constexpr std::uint64_t kLateItems = 4;
    return std::max(ticks_of_microseconds(kLateMicroseconds), kLateItems * item_ticks);
}

/// Between two looks at what is waited for: a pause; from some time on the core is offered to
/// others, since whoever is waited for may need it.
inline void pause_or_yield(int spins) {
    constexpr int kSpinsBeforeYield = 2000;
    spins < kSpinsBeforeYield ? spin_pause() : std::this_thread::yield();
}

}  // namespace rondo::cpu
