// The third phase of planning: binds each step that runs to its sizes, and finds the views.
#pragma once

#include <memory>
#include <vector>

#include "plugins/cpu/plugin/plan/needed_values.hpp"

namespace rondo::cpu {

/// A value's place inside another one that owns memory, or has a place already.
struct Alias {
    ValueId root = 0;
    std::size_t offset = 0;
};

struct PreparedCall {
    std::size_t step = 0;        ///< of the program
    std::unique_ptr<Call> call;  ///< null for a floating step
};

struct PreparedCalls {
    std::vector<PreparedCall>
        calls;                   ///< in the order of the program; steps that are views have none
    std::vector<Alias> aliases;  ///< a value each
    std::vector<StepReport> reports;  ///< of every step that isn't settled earlier
};

/// Notes in `walk` which outputs no step needs. Throws ModelError naming the node whose output is
/// too large for this machine, and what CpuNode::prepare() throws.
PreparedCalls prepare_calls(const Program& program, const NeededValues& needed, int threads,
                            ShapeWalk& walk);

}  // namespace rondo::cpu
