// Replaces the program's pthread locks by ones that count.
#pragma once

namespace rondo::test {

/// Mutexes and read-write locks taken, and waits begun, so far, on all threads. What the C library
/// locks for itself isn't seen.
long lock_count();

}  // namespace rondo::test
