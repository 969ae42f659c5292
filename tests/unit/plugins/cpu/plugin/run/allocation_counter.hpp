// Replaces the program's operator new by one that counts.
#pragma once

namespace rondo::test {

/// Calls of any operator new so far, on all threads.
long allocation_count();

}  // namespace rondo::test
