// Finds which steps have to run and which values they must leave: the second phase of planning.
#pragma once

#include <vector>

#include "plugins/cpu/plugin/plan/shape_walk.hpp"

namespace rondo::cpu {

struct NeededValues {
    std::vector<bool> values;       ///< a value each: some result or variable depends on it
    std::vector<bool> later;        ///< a value each: a step that is still open reads it
    std::vector<StepState> states;  ///< a step each; not_needed where an earlier segment settled it
};

/// Goes backwards from the results and variables. All inputs of an open step count as needed.
NeededValues find_needed(const Program& program, const PlanKey& key, const ShapeWalk& walk);

/// The needed steps that run at the end of this segment, in their order.
std::vector<std::size_t> find_late(const ShapeWalk& walk, const NeededValues& needed);

/// The needed steps whose extents are found at the end of this segment; takes them from the walk.
std::vector<OpenExtents> take_extents(ShapeWalk& walk, const NeededValues& needed);

/// Throws UnsupportedError naming a needed step whose shapes no element decides. To be called where
/// nothing is to be read or found before the next segment.
void check_all_settled(const Program& program, const NeededValues& needed);

/// The values to read before the next segment can be planned, each once: what the needed open steps
/// miss.
std::vector<ValueId> find_reads(const ShapeWalk& walk, const NeededValues& needed);

}  // namespace rondo::cpu
