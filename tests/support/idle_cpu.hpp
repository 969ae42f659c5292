// Processor time that this process uses while its caller sleeps.
#pragma once

#include <chrono>

namespace rondo::test {

/// The time that other threads use while the calling one sleeps for `span`.
double idle_cpu_microseconds(std::chrono::microseconds span);

/// Returns when the threads of the process sleep, after 50 ms at the latest.
void wait_until_idle();

}  // namespace rondo::test
