// Processor time that this process uses while its caller sleeps.
#pragma once

#include <chrono>

namespace rondo::test {

/// What other threads use while the calling one sleeps for `span`, the sleep itself left out.
double idle_cpu_microseconds(std::chrono::microseconds span);

/// Returns once the threads of the process have gone to sleep, but after 50 ms in any case.
void wait_until_idle();

}  // namespace rondo::test
