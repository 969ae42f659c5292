// Plans with a strategy that layers would not choose for themselves: for tests and benchmarks.
#pragma once

#include <optional>

#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"
#include "plugins/cpu/kernels/sequence/stacked_sequence.hpp"

namespace rondo::cpu {

/// Has access to what layers keep to themselves.
struct ForcedPlan {
    static std::optional<SequencePlan> of(const RecurrentSequence& sequence, Strategy strategy,
                                          const LayerShape& shape) {
        const CostModel costs = sequence.costs();
        const auto choice = estimate(strategy, sequence.config().cells[0], costs, shape);
        if (!choice) return std::nullopt;
        return sequence.plan_for(*choice, shape.batch, shape.time);
    }

    static StackedPlan of(const StackedSequence& stack, const StackedChoice& choice,
                          const LayerShape& shape) {
        return stack.plan_for(choice, shape);
    }
};

/// Empty if `strategy` can't split these sizes among the threads.
inline std::optional<SequencePlan> forced_plan(const RecurrentSequence& sequence, Strategy strategy,
                                               std::int64_t batch, std::int64_t time, int threads) {
    return ForcedPlan::of(sequence, strategy, sequence.shape(batch, time, threads));
}

/// `shape`: as stack.shape() has it.
inline StackedPlan forced_plan(const StackedSequence& stack, const StackedChoice& choice,
                               const LayerShape& shape) {
    return ForcedPlan::of(stack, choice, shape);
}

}  // namespace rondo::cpu
