#include "plugins/cpu/kernels/sequence/stacked_run.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/sequence/task_modes.hpp"
#include "plugins/cpu/kernels/sequence/wavefront.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

const CellConfig& cell_of(const SequenceConfig& config) { return config.cells[0]; }

[[noreturn]] void fail(std::size_t layer, const std::string& what) {
    throw ModelError("stacked layers: layer " + std::to_string(layer) + " " + what);
}

void check_layer(std::size_t index, const SequenceConfig& config) {
    if (config.direction == Direction::bidirectional || config.cells.size() != 1) {
        fail(index, "has two directions; expected one");
    }
}

void check_pair(std::size_t index, const SequenceConfig& below, const SequenceConfig& config) {
    if (config.direction != below.direction) fail(index, "runs against the layer below");
    if (config.data != below.data) {
        fail(index, "has data of type " + std::string(to_string(config.data)) +
                        ", the layer below " + std::string(to_string(below.data)));
    }
    if (cell_of(config).input_size != cell_of(below).hidden_size) {
        fail(index, "takes " + std::to_string(cell_of(config).input_size) +
                        " inputs, the layer below gives " +
                        std::to_string(cell_of(below).hidden_size));
    }
}

}  // namespace

void check_stack(std::span<const StackedLayer> layers) {
    if (layers.size() < 2 || layers.size() > kMaxStackedLayers) {
        throw ModelError("stacked layers: got " + std::to_string(layers.size()) +
                         "; expected 2 to " + std::to_string(kMaxStackedLayers));
    }
    for (std::size_t i = 0; i < layers.size(); ++i) {
        check_layer(i, layers[i].config);
        if (i > 0) check_pair(i, layers[i - 1].config, layers[i].config);
    }
}

PackedStackedLayer::PackedStackedLayer(const StackedLayer& from, Isa isa)
    : sequence(from.config, isa),
      gemm(shared_gemm_kernel(isa, from.config.input_weights)),
      kernels(make_sequence_layer(from.config, 0, isa, *gemm)) {
    memory = sequence.packed(from.weights);
    find_sparse(kernels, memory.data());
    packed = packed_layer_at(kernels, memory.data());
}

namespace {

// Y of a layer: the caller's, or, where only the layer above reads it, in scratch.
void* output_of(const StackedPlan& plan, const StackRun& run, std::size_t layer) {
    void* y = run.args.layers[layer].y;
    if (y != nullptr || layer + 1 == run.layers.size()) return y;
    return run.scratch + plan.layers[layer].output;
}

SequenceArgs args_of(const StackedPlan& plan, const StackRun& run, std::size_t layer) {
    const StackedLayerArgs& own = run.args.layers[layer];
    SequenceArgs args =
        dense_args(run.layers[layer].sequence.config(), run.args.batch, run.args.time);
    args.x = layer == 0 ? run.args.x : output_of(plan, run, layer - 1);
    args.lengths = run.args.lengths;
    args.h0 = own.h0;
    args.c0 = own.c0;
    args.y = output_of(plan, run, layer);
    if (layer == 0 && run.args.x_time_first) {
        args.x_batch_stride = args.x_time_stride;
        args.x_time_stride *= args.batch;
    }
    if (layer + 1 == run.layers.size() && run.args.y_time_first) {
        args.y_batch_stride = args.y_time_stride;
        args.y_time_stride *= args.batch;
    }
    args.ho = own.ho;
    args.co = own.co;
    args.cancelled = run.args.cancelled;
    return args;
}

void run_one_by_one(const StackedPlan& plan, const StackRun& run, Team& team) {
    for (std::size_t i = 0; i < run.layers.size(); ++i) {
        const PackedStackedLayer& layer = run.layers[i];
        layer.sequence.run_packed(layer.memory.data(), plan.layers[i].alone, args_of(plan, run, i),
                                  team, run.scratch + plan.layers[i].memory);
    }
}

// All layers for a slice of the rows.
void run_slice(const StackedPlan& plan, const StackRun& run, const RowSlice& slice) {
    const std::size_t offset = static_cast<std::size_t>(slice.index) * plan.slice_bytes;
    for (std::size_t i = 0; i < run.layers.size(); ++i) {
        const PackedStackedLayer& layer = run.layers[i];
        const StackedLayerPlan& own = plan.layers[i];
        const SequenceArgs args = args_of(plan, run, i);
        AnyTask(own.task, {layer.kernels, layer.packed, args, slice},
                run.scratch + own.memory + offset)
            ->run();
    }
}

void run_slices(const StackedPlan& plan, const StackRun& run, Team& team) {
    const int slices = plan.choice.slices;
    team.run(slices, [&](int slice) { run_slice(plan, run, {slice, slices}); });
}

// On cache lines of its own, since threads work on neighbours.
struct alignas(kCacheLine) PlacedTask {
    SequenceArgs args;
    std::optional<AnyTask> task;
};

// All layers' tasks at once, tile by tile.
void run_wavefront(const StackedPlan& plan, const StackRun& run, Team& team) {
    std::array<PlacedTask, kMaxStackedLayers> tasks;
    const int layers = static_cast<int>(run.layers.size());
    for (std::size_t i = 0; i < run.layers.size(); ++i) {
        const PackedStackedLayer& layer = run.layers[i];
        tasks[i].args = args_of(plan, run, i);
        tasks[i].task.emplace(plan.layers[i].task,
                              TaskCall{layer.kernels, layer.packed, tasks[i].args, {}},
                              run.scratch + plan.layers[i].memory);
        (**tasks[i].task).begin();
    }
    const std::int64_t steps = (**tasks[0].task).steps();
    Wavefront wave(layers, divide_up(steps, plan.tile), run.scratch + plan.barrier, plan.ahead);
    wave.run(team, std::min(plan.choice.slices, layers), [&](int layer, std::int64_t index) {
        SequenceTask& task = **tasks[static_cast<std::size_t>(layer)].task;
        if (task.cancelled()) return;
        task.run_steps(index * plan.tile, std::min((index + 1) * plan.tile, steps));
    });
    for (std::size_t i = 0; i < run.layers.size(); ++i) (**tasks[i].task).finish();
}

}  // namespace

void run_stack(const StackedPlan& plan, const StackRun& run, Team& team) {
    if (run.args.batch == 0) return;
    switch (plan.choice.strategy) {
        case StackedStrategy::serial: return run_slice(plan, run, {});
        case StackedStrategy::one_by_one: return run_one_by_one(plan, run, team);
        case StackedStrategy::batch_split: return run_slices(plan, run, team);
        case StackedStrategy::wavefront: break;
    }
    run_wavefront(plan, run, team);
}

}  // namespace rondo::cpu
