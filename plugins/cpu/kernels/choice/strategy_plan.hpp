// The choice of strategy without its words: what run() asks, which must not allocate.
#pragma once

#include <optional>

#include "plugins/cpu/kernels/choice/strategy.hpp"
#include "plugins/cpu/kernels/threads/range.hpp"

namespace rondo::cpu {

/// What was chosen, and the estimates behind it.
struct StrategyPlan {
    Strategy strategy = Strategy::serial;
    int slices = 1;      ///< direction_split, batch_split: tasks; hidden_split: threads
    int row_slices = 1;  ///< batch_split: slices of rows, each for every direction
    double serial_microseconds = 0.0;
    double microseconds = 0.0;
};

/// One step of one direction on one thread.
struct StepLoad {
    std::int64_t rows = 1;
    std::int64_t time = 1;   ///< T: the inputs of several steps are projected at once
    std::int64_t units = 0;  ///< hidden units that this thread computes
    int turns = 1;           ///< directions that it runs, one after the other
};

/// Whether W and R of one direction, so many bytes, leave the L3 no room for both: reading W drives
/// out R, which every step reads.
bool outgrows_l3(double weight_bytes, const CpuFeatures& features);

/// Room for the projected gates of a tile of steps: a part of the L2; of the L3 where W is better
/// read seldom.
std::int64_t tile_bytes(const CpuFeatures& features, bool outgrows_l3);

/// Estimated time of starting and joining a team of so many threads, in microseconds.
double team_microseconds(const CpuFeatures& features, int threads, bool awake);

/// Estimated time of such a step, in microseconds.
double step_microseconds(const CellConfig& config, const CpuFeatures& features,
                         const StepLoad& load);

StrategyPlan plan_strategy(const CellConfig& config, const CpuFeatures& features,
                           const LayerShape& shape);

/// The same had `strategy` been chosen; nothing where it can't share this shape among the threads.
std::optional<StrategyPlan> plan_as(Strategy strategy, const CellConfig& config,
                                    const CpuFeatures& features, const LayerShape& shape);

}  // namespace rondo::cpu
