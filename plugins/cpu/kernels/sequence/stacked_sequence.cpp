#include "plugins/cpu/kernels/sequence/stacked_sequence.hpp"

#include <algorithm>
#include <array>

#include "plugins/cpu/kernels/sequence/stacked_run.hpp"
#include "plugins/cpu/kernels/sequence/wavefront.hpp"
#include "plugins/cpu/kernels/threads/step_barrier.hpp"

namespace rondo::cpu {
namespace {

// With one row and fewer steps, tasks of tiles make the better wavefront: layers start sooner.
constexpr std::int64_t kMinStepsToLookAhead = 320;

using Layers = std::span<const PackedStackedLayer>;

// Lays out the outputs that only layers of the stack read, then what a plan's choice needs.
class Planner {
public:
    Planner(Layers layers, const CpuFeatures& features, StackedPlan& plan)
        : layers_(layers), features_(features), plan_(plan) {}

    void lay_out_outputs() {
        for (std::size_t i = 0; i + 1 < layers_.size(); ++i) {
            const std::int64_t elements = plan_.batch * plan_.time * layers_[i].cell().hidden_size;
            const std::size_t element = size_of(layers_[i].sequence.config().data);
            plan_.layers[i].output = take(static_cast<std::size_t>(elements) * element);
        }
    }

    void plan_one_by_one(const LayerShape& shape, TeamState team) {
        std::size_t most = 0;
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            SequencePlan& alone = plan_.layers[i].alone;
            alone = layers_[i].sequence.prepare(shape.batch, shape.time, shape.threads, team);
            most = std::max(most, alone.scratch_bytes);
            plan_.layers[i].memory = plan_.scratch_bytes;
        }
        take(most);
    }

    // A slice runs its layers one after the other, in the same memory.
    void plan_slices() {
        const std::int64_t rows = divide_up(plan_.batch, plan_.choice.slices);
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            plan_.layers[i].task = task(i, rows, {});
            plan_.layers[i].memory = plan_.scratch_bytes;
            plan_.slice_bytes = std::max(plan_.slice_bytes, plan_.layers[i].task.bytes);
        }
        take(plan_.slice_bytes * static_cast<std::size_t>(plan_.choice.slices));
    }

    // All layers' tasks at once, with tiles of the same steps. Layers that look ahead read
    // kLookAheadSteps steps ahead, so that those above start two items later.
    void plan_wavefront() {
        plan_.barrier = take(Wavefront::bytes(static_cast<int>(layers_.size())));
        TaskLimits limits;
        limits.may_look_ahead = looks_ahead();
        limits.tile = std::max<std::int64_t>(plan_.choice.tile, 1);
        for (std::size_t i = 0; i < layers_.size() && !limits.may_look_ahead; ++i) {
            limits.tile = std::min(limits.tile, task(i, plan_.batch, limits).tile);
        }
        plan_.tile = limits.may_look_ahead ? kLookAheadSteps : limits.tile;
        plan_.ahead = limits.may_look_ahead ? 1 : 0;
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            plan_.layers[i].task = task(i, plan_.batch, limits);
            plan_.layers[i].memory = take(plan_.layers[i].task.bytes);
        }
    }

private:
    std::size_t take(std::size_t bytes) {
        const std::size_t at = plan_.scratch_bytes;
        plan_.scratch_bytes += whole_lines(bytes);
        return at;
    }

    TaskPlan task(std::size_t layer, std::int64_t rows, const TaskLimits& limits) const {
        return plan_task(layers_[layer].kernels, {rows, plan_.batch, plan_.time}, features_,
                         limits);
    }

    bool looks_ahead() const {
        return plan_.time >= kMinStepsToLookAhead &&
               std::ranges::all_of(layers_, [&](const PackedStackedLayer& layer) {
                   return can_look_ahead(layer.kernels, plan_.batch, features_);
               });
    }

    Layers layers_;
    const CpuFeatures& features_;
    StackedPlan& plan_;
};

TeamState state_of(const LayerShape& shape) {
    if (shape.threads <= 1) return TeamState::alone;
    return shape.awake ? TeamState::awake : TeamState::asleep;
}

}  // namespace

StackedSequence::StackedSequence(std::span<const StackedLayer> layers, Isa isa,
                                 FunctionRef<void(std::size_t layer)> packed)
    : features_(features_up_to(isa)) {
    check_stack(layers);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        layers_.emplace_back(layers[i], isa);
        packed(i);
    }
}

StackedPlan StackedSequence::prepare(std::int64_t batch, std::int64_t time, int threads,
                                     TeamState team) const {
    std::array<const CellConfig*, kMaxStackedLayers> cells{};
    for (std::size_t i = 0; i < layers_.size(); ++i) cells[i] = &layers_[i].cell();
    const LayerShape sizes = shape(batch, time, threads, team);
    const CostModel costs(features_);
    return plan_for(choose_stacked_strategy({cells.data(), layers_.size()}, costs, sizes), sizes);
}

StackedPlan StackedSequence::plan_for(const StackedChoice& choice, const LayerShape& shape) const {
    StackedPlan plan;
    plan.choice = choice;
    plan.batch = shape.batch;
    plan.time = shape.time;
    Planner planner(layers_, features_, plan);
    planner.lay_out_outputs();
    switch (choice.strategy) {
        case StackedStrategy::one_by_one: planner.plan_one_by_one(shape, state_of(shape)); break;
        case StackedStrategy::serial:
        case StackedStrategy::batch_split: planner.plan_slices(); break;
        case StackedStrategy::wavefront: planner.plan_wavefront(); break;
    }
    return plan;
}

void StackedSequence::run(const StackedPlan& plan, const StackedArgs& args, Team& team,
                          void* scratch) const {
    run_stack(plan, {layers_, args, static_cast<char*>(scratch)}, team);
}

LayerShape StackedSequence::shape(std::int64_t batch, std::int64_t time, int threads,
                                  TeamState team) const {
    return layers_[0].sequence.shape(batch, time, threads, team);
}

}  // namespace rondo::cpu
