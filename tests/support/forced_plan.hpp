// Plans with a strategy that a layer would not choose for itself: for tests and benchmarks.
#pragma once

#include <optional>

#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"

namespace rondo::cpu {

/// Nothing where `strategy` can't split these sizes among the threads.
inline std::optional<SequencePlan> forced_plan(const RecurrentSequence& sequence, Strategy strategy,
                                               std::int64_t batch, std::int64_t time,
                                               int threads) {
    const CostModel costs = sequence.costs();
    const auto choice = estimate(strategy, sequence.config().cells[0], costs,
                                 sequence.shape(batch, time, threads));
    if (!choice) return std::nullopt;
    return sequence.prepare(*choice, batch, time);
}

}  // namespace rondo::cpu
