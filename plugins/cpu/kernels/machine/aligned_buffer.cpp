#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

namespace rondo::cpu {
namespace {

// Whole huge pages, so that the system's own page size doesn't matter.
std::size_t mapped_bytes(std::size_t bytes) {
    if (bytes > std::numeric_limits<std::size_t>::max() / 2) throw std::bad_alloc();
    return (bytes + kHugePage - 1) / kHugePage * kHugePage;
}

// Maps one huge page too many and unmaps what lies before and after the aligned part.
void* map_huge(std::size_t bytes) {
    const std::size_t wanted = mapped_bytes(bytes);
    void* mapped = ::mmap(nullptr, wanted + kHugePage, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    auto* begin = static_cast<char*>(mapped);
    const std::size_t before =
        (kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage) % kHugePage;
    if (before > 0) ::munmap(begin, before);
    ::munmap(begin + before + wanted, kHugePage - before);
    // Advice: where it isn't taken, small pages do. A part of a page isn't worth a huge one.
    ::madvise(begin + before, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
    return begin + before;
}

}  // namespace

void* allocate_zeroed(std::size_t bytes) {
    if (bytes >= kHugePage) return map_huge(bytes);
    void* memory = std::aligned_alloc(kCacheLine, whole_lines(bytes + 1));
    if (memory == nullptr) throw std::bad_alloc();
    return std::memset(memory, 0, bytes);
}

void free_zeroed(void* memory, std::size_t bytes) {
    if (bytes >= kHugePage) {
        ::munmap(memory, mapped_bytes(bytes));
    } else {
        std::free(memory);
    }
}

}  // namespace rondo::cpu
