// Sleeping on a number in memory until another thread changes it.
#pragma once

#include <atomic>
#include <chrono>

namespace rondo::cpu {

/// Returns when woken after `number` has changed from `value`, or after `most`; never before.
void sleep_while(const std::atomic<int>& number, int value, std::chrono::nanoseconds most);

/// Wakes the thread that sleeps on `number`, which has been changed.
void wake_sleeper(std::atomic<int>& number);

}  // namespace rondo::cpu
