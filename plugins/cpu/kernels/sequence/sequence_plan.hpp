// How a layer runs sequences of one size: strategy, tasks and scratch memory, decided once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plugins/cpu/kernels/choice/strategy.hpp"
#include "plugins/cpu/kernels/sequence/task_plan.hpp"

namespace rondo::cpu {

/// Made by RecurrentSequence::prepare(), for its run() on calls of these sizes.
struct SequencePlan {
    StrategyChoice choice;
    std::int64_t batch = 0;  ///< N
    std::int64_t time = 0;   ///< T
    TaskPlan task;           ///< of each task
    /// Scratch of run(): a task for each slice, or, in a hidden split, a StepBarrier and one task.
    std::size_t scratch_bytes = 0;

    bool splits() const { return choice.strategy != Strategy::serial; }
};

}  // namespace rondo::cpu
