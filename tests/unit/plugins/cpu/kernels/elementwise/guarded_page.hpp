// Bytes that end where a page without access begins.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>

namespace rondo::cpu::tests {

/// Reading or writing past end() ends the program.
class GuardedPage {
public:
    explicit GuardedPage(std::size_t bytes) {
        const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        usable_ = (bytes + page - 1) / page * page;
        memory_ = static_cast<std::byte*>(::mmap(nullptr, usable_ + page, PROT_READ | PROT_WRITE,
                                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        ::mprotect(memory_ + usable_, page, PROT_NONE);
        mapped_ = usable_ + page;
    }
    ~GuardedPage() { ::munmap(memory_, mapped_); }
    GuardedPage(const GuardedPage&) = delete;
    GuardedPage& operator=(const GuardedPage&) = delete;

    std::byte* end() { return memory_ + usable_; }

private:
    std::byte* memory_ = nullptr;
    std::size_t usable_ = 0;
    std::size_t mapped_ = 0;
};

}  // namespace rondo::cpu::tests
