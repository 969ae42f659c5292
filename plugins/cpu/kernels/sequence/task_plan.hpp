// How a task runs the steps of some rows, and where its scratch memory lies: decided once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "plugins/cpu/kernels/choice/strategy.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/sequence/sequence_layer.hpp"

namespace rondo::cpu {

/// How steps get the products of their inputs; docs/recurrent_kernels.md draws them.
enum class TaskMode {
    tiled,        ///< a product of matrices ahead of each tile of steps
    look_ahead,   ///< one row: each step computes a part of the products of later steps
    fused_input,  ///< one step of few rows, which multiplies its inputs itself
};

/// What a task is to run.
struct TaskLoad {
    std::int64_t rows = 0;   ///< at most
    std::int64_t batch = 0;  ///< N, of which the rows are a slice
    std::int64_t time = 0;   ///< T
};

/// What a caller of several tasks at once asks of their plans.
struct TaskLimits {
    bool may_look_ahead = true;
    std::int64_t tile = std::numeric_limits<std::int64_t>::max();  ///< steps
};

/// Offsets in a task's scratch memory, in bytes. Buffers of state hold [rows][padded] scalars.
struct TaskLayout {
    std::size_t h[2] = {};  ///< state after even and odd steps
    std::size_t c = 0;
    std::size_t update_gate = 0;
    std::size_t reset_hidden = 0;
    std::size_t projected = 0;   ///< [tile][active rows] rows of projected gates
    std::size_t widened = 0;     ///< [tile][active rows][I] scalars, where X is widened
    std::size_t x_rows = 0;      ///< [tile][active rows] pointers
    std::size_t y_rows = 0;      ///< the same
    std::size_t tile_rows = 0;   ///< [tile + 1]: where a step starts in the three above
    std::size_t order = 0;       ///< [rows]: row of the call at each position; room for [batch]
    std::size_t lengths = 0;     ///< [rows]: falling
    std::size_t look_ahead = 0;  ///< [kMaxTaskSlices] LookAheads, in that mode
};

/// Slices of blocks that may run one step at once. A look-ahead has a place for each.
inline constexpr int kMaxTaskSlices = 64;

struct TaskPlan {
    TaskMode mode = TaskMode::tiled;
    TaskLoad load;
    std::int64_t tile = 1;     ///< steps that TaskLayout has room for
    std::int64_t widened = 0;  ///< I where X is widened into scratch, else 0
    TaskLayout layout;
    std::size_t bytes = 0;  ///< of scratch; a multiple of a cache line
};

/// Fused input where one step has few rows, else look-ahead where that is possible, else tiles of
/// all steps or of as many as keep the projected gates of all rows within tile_bytes().
TaskPlan plan_task(const SequenceLayer& layer, const TaskLoad& load, const CpuFeatures& features,
                   const TaskLimits& limits = {});

/// Whether tasks of that many rows can look ahead. W is read once in kLookAheadSteps steps then.
bool can_look_ahead(const SequenceLayer& layer, std::int64_t rows, const CpuFeatures& features);

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
