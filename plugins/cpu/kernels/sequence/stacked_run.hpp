// Runs stacked layers as their plan says: one function for each strategy.
#pragma once

#include <span>

#include "plugins/cpu/kernels/sequence/stacked_args.hpp"
#include "plugins/cpu/kernels/sequence/stacked_layer.hpp"
#include "plugins/cpu/kernels/sequence/stacked_plan.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// One call, its layers and scratch memory.
struct StackRun {
    std::span<const PackedStackedLayer> layers;
    const StackedArgs& args;
    char* scratch;
};

void run_stack(const StackedPlan& plan, const StackRun& run, Team& team);

}  // namespace rondo::cpu
