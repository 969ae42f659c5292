// One block of memory that holds all tensors between the calls of a run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

/// Blocks grow by half at least, so that values that become longer from run to run rarely need new
/// memory. A run that takes what the last one took allocates nothing.
class BlockPool {
public:
    /// A block of at least `bytes` bytes (and never none), held once. Throws ModelError if the
    /// memory can't be allocated.
    std::size_t take(std::size_t bytes) {
        bytes = std::max<std::size_t>(bytes, 1);
        std::size_t best = blocks_.size();
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            if (blocks_[i].holders == 0 && is_better(i, best, bytes)) best = i;
        }
        if (best == blocks_.size()) blocks_.emplace_back();
        Block& block = blocks_[best];
        if (block.memory.bytes() < bytes) {
            const std::size_t old = block.memory.bytes();
            block.memory.reserve(std::max(bytes, old + old / 2));
            bytes_ += block.memory.bytes() - old;
        }
        block.holders = 1;
        return best;
    }
    void hold(std::size_t block) { ++blocks_[block].holders; }
    void give_back(std::size_t block) { --blocks_[block].holders; }
    /// All blocks, whoever holds them.
    void give_back_all() {
        for (Block& block : blocks_) block.holders = 0;
    }
    void* data(std::size_t block) const { return blocks_[block].memory.data(); }
    /// The sizes of all blocks together.
    std::size_t bytes() const { return bytes_; }
    void clear() {
        blocks_.clear();
        bytes_ = 0;
    }

private:
    struct Block {
        Arena memory;
        std::size_t holders = 0;
    };

    // The smallest one that is large enough, else the largest one.
    bool is_better(std::size_t block, std::size_t best, std::size_t bytes) const {
        if (best == blocks_.size()) return true;
        const std::size_t own = blocks_[block].memory.bytes();
        const std::size_t other = blocks_[best].memory.bytes();
        return other < bytes ? own > other : own >= bytes && own < other;
    }

    std::vector<Block> blocks_;
    std::size_t bytes_ = 0;
};

}  // namespace rondo::cpu
