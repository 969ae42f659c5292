// The fourth phase of planning: the memory that calls write, how long each piece is in use, and
// which pieces are results.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "plugins/cpu/plugin/plan/prepared_calls.hpp"

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

/// A value, or a call's scratch.
struct Buffer {
    Lifetime lifetime;
    Place target;  ///< the result or next variable that it is written to directly, if any
};

/// First the buffers that earlier segments keep, then those of values, then one for each call's
/// scratch.
struct Buffers {
    std::vector<Buffer> list;
    std::vector<std::optional<std::size_t>> of_value;  ///< those of roots
    std::size_t kept_count = 0;
    std::size_t first_scratch = 0;
};

/// Lifetimes count calls; those of values that later segments read last to the end.
Buffers choose_buffers(const Program& program, const PlanKey& key, const ShapeWalk& walk,
                       const NeededValues& needed, const PreparedCalls& prepared);

/// The places of this segment's results and variables.
struct Ends {
    std::vector<PlannedEnd> outputs;
    std::vector<PlannedEnd> next_variables;
    std::vector<FinalCopy> copies;
    std::vector<ValueId> copied;  ///< a copy each: what it copies
    std::size_t bytes = 0;        ///< of all outputs, variables and late outputs so far
};

/// A whole buffer is written directly to its result or variable, its target; other values are
/// copied at the end. Throws ModelError naming the result or Assign that is too large for this
/// machine.
Ends bind_ends(const Program& program, const PlanKey& key, const ShapeWalk& walk,
               const PreparedCalls& prepared, Buffers& buffers);

}  // namespace rondo::cpu
