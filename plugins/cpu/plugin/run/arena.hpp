// One block of memory that holds all tensors between the calls of a run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "rondo/error.hpp"

namespace rondo::cpu {

/// Grows, and frees memory only if it has much, and far more than is needed.
class Arena {
public:
    /// At least `bytes` (and never none) on a cache line; the old contents are lost. Throws
    /// ModelError if the memory can't be allocated.
    void reserve(std::size_t bytes) {
        constexpr std::size_t kWorthKeeping = std::size_t{64} << 20;
        const std::size_t wanted = (bytes / kLine + 1) * kLine;
        if (wanted <= bytes_ && (bytes_ <= kWorthKeeping || bytes_ / 8 <= wanted)) return;
        memory_.reset();
        bytes_ = 0;
        memory_ = allocated(wanted);
        bytes_ = wanted;
    }

    /// At least `bytes`; the first `kept` bytes keep their contents. Throws ModelError if the
    /// memory can't be allocated, and then doesn't change.
    void grow(std::size_t bytes, std::size_t kept) {
        if (bytes <= bytes_) return;
        const std::size_t wanted = (bytes / kLine + 1) * kLine;
        auto memory = allocated(wanted);
        if (kept > 0) std::memcpy(memory.get(), memory_.get(), std::min(kept, bytes_));
        memory_ = std::move(memory);
        bytes_ = wanted;
    }

    char* data() const { return static_cast<char*>(memory_.get()); }
    std::size_t bytes() const { return bytes_; }

private:
    static constexpr std::size_t kLine = 64;

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    using Memory = std::unique_ptr<void, Free>;

    static Memory allocated(std::size_t bytes) {
        Memory memory(std::aligned_alloc(kLine, bytes));
        if (memory) return memory;
        throw OutOfMemoryError("can't allocate " + std::to_string(bytes) +
                               " bytes for the tensors between the nodes");
    }

    Memory memory_;
    std::size_t bytes_ = 0;
};

}  // namespace rondo::cpu
