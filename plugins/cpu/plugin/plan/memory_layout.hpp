// Places buffers with lifetimes in one block of memory.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace rondo::cpu {

/// A buffer is in use from step `first` to step `last`, both included.
struct Lifetime {
    std::size_t bytes = 0;
    std::size_t first = 0;
    std::size_t last = 0;
    std::optional<std::size_t> offset = {};  ///< of an existing buffer, from step 0 on
};

struct MemoryLayout {
    std::vector<std::size_t> offsets;  ///< a buffer each, on a cache line
    std::size_t bytes = 0;             ///< of the whole block
};

/// Greedy: buffers in the order of their first step, each in the smallest gap that holds it.
/// Buffers whose lifetimes share a step never overlap. Existing buffers keep their
/// offsets, which must be on cache lines and must not overlap. Sizes must add up to less than 2^63.
MemoryLayout lay_out(std::span<const Lifetime> lifetimes);

}  // namespace rondo::cpu
