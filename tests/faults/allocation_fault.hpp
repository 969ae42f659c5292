// Makes allocations of this program fail, one at a time or all from one on.
#pragma once

namespace rondo::test {

/// How an allocation fails: alone, or with all after it, as when memory has run out.
enum class Failing { one, all };

/// Whose allocations are counted and fail.
enum class Reach { this_thread, all_threads };

/// While this lives, the `nth` allocation fails (1: the next one), whether it comes from malloc()
/// or operator new. One at a time.
class AllocationFault {
public:
    AllocationFault(long nth, Failing failing, Reach reach = Reach::this_thread);
    ~AllocationFault();
    AllocationFault(const AllocationFault&) = delete;
    AllocationFault& operator=(const AllocationFault&) = delete;

    /// How many allocations were tried since then.
    long tried() const;
};

/// Allocations of all threads that are not freed yet.
long live_allocations();

}  // namespace rondo::test
