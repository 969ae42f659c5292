// One block of memory that holds all tensors between an executor's calls.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>

#include "rondo/error.hpp"

namespace rondo::cpu {

/// Grows, and gives memory back only where it holds much, and far more than is needed.
class Arena {
public:
    /// At least `bytes` (and never none) on a cache line; the old contents are lost. Throws
    /// ModelError where the memory can't be had.
    void reserve(std::size_t bytes) {
        constexpr std::size_t kLine = 64;
        constexpr std::size_t kWorthKeeping = std::size_t{64} << 20;
        const std::size_t wanted = (bytes / kLine + 1) * kLine;
        if (wanted <= bytes_ && (bytes_ <= kWorthKeeping || bytes_ / 8 <= wanted)) return;
        memory_.reset();
        bytes_ = 0;
        memory_.reset(std::aligned_alloc(kLine, wanted));
        if (!memory_) {
            throw ModelError("can't allocate " + std::to_string(wanted) +
                             " bytes for the tensors between the nodes");
        }
        bytes_ = wanted;
    }

    char* data() const { return static_cast<char*>(memory_.get()); }
    std::size_t bytes() const { return bytes_; }

private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    std::unique_ptr<void, Free> memory_;
    std::size_t bytes_ = 0;
};

}  // namespace rondo::cpu
