// Memory of values whose sizes a run finds: blocks that serve one value after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "plugins/cpu/plugin/run/arena.hpp"

namespace rondo::cpu {

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
