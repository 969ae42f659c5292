#include "plugins/cpu/kernels/sequence/sequence_run.hpp"

#include <cstdint>

#include "plugins/cpu/kernels/sequence/sequence_task.hpp"
#include "plugins/cpu/kernels/sequence/task_modes.hpp"
#include "plugins/cpu/kernels/threads/step_barrier.hpp"

namespace rondo::cpu {
namespace {

// A slice keeps its hidden blocks, and so its weights, for all steps. Phases of a tile of steps:
// preparing it (one slice; the caller prepares the first tile), then those of its steps. The first
// of these also projects the slice's part of the tile's inputs, which only this slice reads.
class HiddenSplit {
public:
    // For a task that has begun.
    HiddenSplit(const SequenceTask& task, int slices);

    std::int64_t phases() const { return phases_; }

    // `task`: the one that this was made for, on its first tile before phase 0. False
    // where the call is cancelled.
    bool run(SequenceTask& task, std::int64_t phase, int slice) const;

private:
    int slices_;
    std::int64_t cell_phases_;
    std::int64_t tile_phases_;  // of a whole tile
    std::int64_t phases_;
};

HiddenSplit::HiddenSplit(const SequenceTask& task, int slices)
    : slices_(slices),
      cell_phases_(task.cell_phases()),
      tile_phases_(1 + task.tile() * cell_phases_) {
    const std::int64_t tiles = divide_up(task.steps(), task.tile());
    phases_ = tiles == 0 ? 0 : tiles - 1 + task.steps() * cell_phases_;
}

bool HiddenSplit::run(SequenceTask& task, std::int64_t phase, int slice) const {
    if (task.cancelled()) return false;
    const Range blocks = task.blocks_of(slice, slices_);
    const std::int64_t place = phase + 1;  // as if the first tile had been prepared in a phase too
    const std::int64_t first = place / tile_phases_ * task.tile();
    const std::int64_t index = place % tile_phases_ - 1;
    if (index < 0) {
        if (slice == 0) task.begin_tile(first);
        return true;
    }
    if (index == 0) task.project(task.panels_of(blocks));
    task.step(first + index / cell_phases_, static_cast<int>(index % cell_phases_), blocks, slice);
    return true;
}

static_assert(kMaxTaskSlices >= StepBarrier::kMaxSlices);

TaskCall call_of(const BoundLayer& layer, std::size_t direction, const SequenceArgs& args,
                 const RowSlice& slice = {}) {
    return {layer.directions[direction], layer.weights[direction], args, slice};
}

void run_serial(const SequencePlan& plan, const BoundLayer& layer, const SequenceArgs& args,
                void* scratch) {
    for (std::size_t d = 0; d < layer.directions.size(); ++d) {
        AnyTask(plan.task, call_of(layer, d, args), scratch)->run();
    }
}

// Independent tasks: slices of rows, for each direction.
void run_tasks(const SequencePlan& plan, const BoundLayer& layer, const SequenceArgs& args,
               Team& team, void* scratch) {
    const int directions = static_cast<int>(layer.directions.size());
    team.run(plan.choice.slices, [&](int slice) {
        const RowSlice rows{slice / directions, plan.choice.row_slices};
        const auto direction = static_cast<std::size_t>(slice % directions);
        void* memory =
            static_cast<char*>(scratch) + static_cast<std::size_t>(slice) * plan.task.bytes;
        AnyTask(plan.task, call_of(layer, direction, args, rows), memory)->run();
    });
}

// A slice keeps its hidden blocks, and so its weights, for all steps.
void run_hidden_split(const SequencePlan& plan, const BoundLayer& layer, const SequenceArgs& args,
                      Team& team, void* scratch) {
    const int slices = plan.choice.slices;
    void* memory = static_cast<char*>(scratch) + StepBarrier::bytes(slices);
    for (std::size_t d = 0; d < layer.directions.size(); ++d) {
        AnyTask task(plan.task, call_of(layer, d, args), memory);
        task->begin();
        task->begin_tile(0);
        const HiddenSplit split(*task, slices);
        StepBarrier barrier(slices, split.phases(), scratch);
        barrier.run(team,
                    [&](std::int64_t phase, int slice) { return split.run(*task, phase, slice); });
        task->finish();
    }
}

}  // namespace

void run_sequence(const SequencePlan& plan, const BoundLayer& layer, const SequenceArgs& args,
                  Team& team, void* scratch) {
    if (args.batch == 0) return;
    switch (plan.choice.strategy) {
        case Strategy::serial: return run_serial(plan, layer, args, scratch);
        case Strategy::direction_split:
        case Strategy::batch_split: return run_tasks(plan, layer, args, team, scratch);
        case Strategy::hidden_split: break;
    }
    run_hidden_split(plan, layer, args, team, scratch);
}

}  // namespace rondo::cpu
