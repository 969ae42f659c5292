#include "plugins/cpu/kernels/sequence/sequence_run.hpp"

#include "plugins/cpu/kernels/sequence/hidden_split.hpp"
#include "plugins/cpu/kernels/sequence/task_modes.hpp"
#include "plugins/cpu/kernels/threads/step_barrier.hpp"

namespace rondo::cpu {
namespace {

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
