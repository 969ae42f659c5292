// Counts locks and waits of a thread, in the whole program and its shared libraries.
#pragma once

namespace rondo::test {

/// Those that this thread has made so far: mutexes, conditions, semaphores, sleeps and futexes.
long lock_count();

}  // namespace rondo::test
