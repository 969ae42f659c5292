// The fourth phase of planning: the memory that calls write, how long each piece is in use, and
// which pieces are results.
#pragma once

#include <optional>
#include <vector>

#include "plugins/cpu/plugin/plan/memory_layout.hpp"
#include "plugins/cpu/plugin/plan/prepared_calls.hpp"

namespace rondo::cpu {

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
