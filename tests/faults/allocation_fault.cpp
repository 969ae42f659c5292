#include "tests/faults/allocation_fault.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

// The names of glibc's own functions, which those below replace.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);
}

namespace {

std::atomic<long> live{0};

// They have no constructors, since allocations come before those.
std::atomic<bool> all_count{false};
thread_local bool t_counts = false;
std::atomic<long> count{0};
std::atomic<long> first{0};
std::atomic<long> last{0};

bool fails() {
    if (!t_counts && !all_count.load(std::memory_order_acquire)) return false;
    const long number = count.fetch_add(1, std::memory_order_relaxed) + 1;
    if (number < first || number > last) return false;
    errno = ENOMEM;
    return true;
}

void* counted(void* memory) {
    if (memory != nullptr) live.fetch_add(1, std::memory_order_relaxed);
    return memory;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return fails() ? nullptr : counted(__libc_malloc(size)); }

void* calloc(std::size_t count, std::size_t size) {
    return fails() ? nullptr : counted(__libc_calloc(count, size));
}

void* realloc(void* memory, std::size_t size) {
    if (memory == nullptr) return malloc(size);
    return fails() ? nullptr : __libc_realloc(memory, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
    return fails() ? nullptr : counted(__libc_memalign(alignment, size));
}

void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }

int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
    void* made = memalign(alignment, size);
    if (made == nullptr) return ENOMEM;
    *memory = made;
    return 0;
}

void free(void* memory) {
    if (memory != nullptr) live.fetch_sub(1, std::memory_order_relaxed);
    __libc_free(memory);
}

}  // extern "C"

namespace rondo::test {

AllocationFault::AllocationFault(long nth, Failing failing, Reach reach) {
    constexpr long kNever = 1L << 62;
    first = nth;
    last = failing == Failing::one ? nth : kNever;
    count = 0;
    if (reach == Reach::all_threads) {
        all_count = true;
    } else {
        t_counts = true;
    }
}

AllocationFault::~AllocationFault() {
    t_counts = false;
    all_count = false;
}

long AllocationFault::tried() const { return count; }

long live_allocations() { return live.load(std::memory_order_relaxed); }

}  // namespace rondo::test
