#include "plugins/cpu/kernels/sequence/stacked_sequence.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/kernels/sequence/sequence_task.hpp"
#include "plugins/cpu/kernels/sequence/wavefront.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

constexpr std::size_t kMost = StackedSequence::kMostLayers;
// Of one row. Below, tasks of tiles make the better wavefront: layers start sooner.
constexpr std::int64_t kFewestStepsToRoll = 320;

// On a line of its own, since threads work on neighbours.
struct alignas(kCacheLine) TaskPlace {
    SequenceArgs args;
    std::optional<SequenceTask> task;
};

using Tasks = std::array<TaskPlace, kMost>;
using TaskSizes = std::array<TaskSize, kMost>;

const CellConfig& cell_of(const SequenceConfig& config) { return config.cells[0]; }

[[noreturn]] void fail(std::size_t layer, const std::string& what) {
    throw ModelError("stacked layers: layer " + std::to_string(layer) + " " + what);
}

void check_layer(std::size_t index, const SequenceConfig& config) {
    if (config.direction == SequenceDirection::bidirectional || config.cells.size() != 1) {
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

void check_stack(std::span<const StackedLayer> layers) {
    if (layers.size() < 2 || layers.size() > kMost) {
        throw ModelError("stacked layers: got " + std::to_string(layers.size()) +
                         "; expected 2 to " + std::to_string(kMost));
    }
    for (std::size_t i = 0; i < layers.size(); ++i) {
        check_layer(i, layers[i].config);
        if (i > 0) check_pair(i, layers[i - 1].config, layers[i].config);
    }
}

// A layer whole, for one by one, and in parts, for tasks; both read the same packed weights.
struct Layer {
    Layer(const StackedLayer& from, Isa isa)
        : sequence(from.config, isa),
          gemm(shared_gemm_kernel(isa, from.config.input_weights)),
          kernels(make_sequence_layer(from.config, 0, isa, *gemm)),
          memory(sequence.packed_bytes()) {
        SerialTeam team;
        sequence.pack(from.weights, memory.data(), team);
        packed = packed_layer_at(kernels, memory.data());
    }

    const CellConfig& cell() const { return cell_of(sequence.config()); }
    const CellShape& shape() const { return kernels.cell->shape(); }

    RecurrentSequence sequence;
    std::shared_ptr<const GemmKernel> gemm;
    SequenceLayer kernels;
    AlignedBytes memory;
    PackedLayer packed;
};

}  // namespace

class StackedSequence::Impl {
public:
    Impl(std::span<const StackedLayer> layers, Isa isa) : features_(features_up_to(isa)) {
        for (const StackedLayer& layer : layers) layers_.emplace_back(layer, isa);
    }

    StackedPlan plan(const LayerShape& shape) const {
        std::array<const CellConfig*, kMost> cells{};
        for (std::size_t i = 0; i < layers_.size(); ++i) cells[i] = &layers_[i].cell();
        return plan_stack({cells.data(), layers_.size()}, features_, shape);
    }

    std::size_t scratch_bytes(const StackedPlan& plan, const StackedArgs& sizes,
                              int threads) const {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i + 1 < layers_.size(); ++i) bytes += output_bytes(i, sizes);
        switch (plan.strategy) {
            case StackedStrategy::one_by_one: return bytes + one_by_one_bytes(sizes, threads);
            case StackedStrategy::serial:
            case StackedStrategy::batch_split:
                return bytes + slice_bytes(plan, sizes) * static_cast<std::size_t>(plan.slices);
            case StackedStrategy::wavefront: break;
        }
        return bytes + wave_bytes(plan, sizes);
    }

    void run(const StackedPlan& plan, const StackedArgs& args, Team& team, char* scratch) const {
        if (args.batch == 0) return;
        switch (plan.strategy) {
            case StackedStrategy::serial: return run_slice({args, scratch}, {}, args.batch);
            case StackedStrategy::one_by_one: return run_one_by_one({args, scratch}, team);
            case StackedStrategy::batch_split: return run_slices(plan, {args, scratch}, team);
            case StackedStrategy::wavefront: break;
        }
        run_wavefront(plan, {args, scratch}, team);
    }

    const std::vector<Layer>& layers() const { return layers_; }

private:
    int count() const { return static_cast<int>(layers_.size()); }

    // Of a layer's Y, where it lies in scratch.
    std::size_t output_bytes(std::size_t layer, const StackedArgs& sizes) const {
        const std::int64_t elements = sizes.batch * sizes.time * layers_[layer].cell().hidden_size;
        return whole_lines(static_cast<std::size_t>(elements) *
                           size_of(layers_[layer].sequence.config().data));
    }

    std::size_t one_by_one_bytes(const StackedArgs& sizes, int threads) const {
        std::size_t most = 0;
        for (const Layer& layer : layers_) {
            most = std::max(most, layer.sequence.scratch_bytes(sizes.batch, sizes.time, threads));
        }
        return most;
    }

    // One call. The outputs that nobody else wants come first in its scratch.
    struct Call {
        const StackedArgs& args;
        char* scratch;
    };

    void* output_of(std::size_t layer, const Call& call) const {
        if (call.args.layers[layer].y != nullptr || layer + 1 == layers_.size()) {
            return call.args.layers[layer].y;
        }
        char* output = call.scratch;
        for (std::size_t i = 0; i < layer; ++i) output += output_bytes(i, call.args);
        return output;
    }

    char* scratch_behind_outputs(const Call& call) const {
        char* behind = call.scratch;
        for (std::size_t i = 0; i + 1 < layers_.size(); ++i) behind += output_bytes(i, call.args);
        return behind;
    }

    SequenceArgs args_of(std::size_t layer, const Call& call) const {
        const StackedLayerArgs& own = call.args.layers[layer];
        SequenceArgs args =
            dense_args(layers_[layer].sequence.config(), call.args.batch, call.args.time);
        args.x = layer == 0 ? call.args.x : output_of(layer - 1, call);
        args.lengths = call.args.lengths;
        args.h0 = own.h0;
        args.c0 = own.c0;
        args.y = output_of(layer, call);
        args.ho = own.ho;
        args.co = own.co;
        return args;
    }

    void run_one_by_one(const Call& call, Team& team) const {
        char* scratch = scratch_behind_outputs(call);
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            layers_[i].sequence.run_packed(layers_[i].memory.data(), args_of(i, call), team,
                                           scratch);
        }
    }

    TaskSize slice_size(const Layer& layer, std::int64_t rows, const StackedArgs& sizes) const {
        return task_size(layer.kernels, {rows, sizes.batch, sizes.time}, features_);
    }

    static std::int64_t most_rows(const StackedPlan& plan, const StackedArgs& sizes) {
        return (sizes.batch + plan.slices - 1) / plan.slices;
    }

    // A slice runs its layers one after the other, in the same scratch.
    std::size_t slice_bytes(const StackedPlan& plan, const StackedArgs& sizes) const {
        std::size_t most = 0;
        for (const Layer& layer : layers_) {
            const TaskSize size = slice_size(layer, most_rows(plan, sizes), sizes);
            most = std::max(most, task_scratch_bytes(layer.shape(), size));
        }
        return most;
    }

    // All layers for a share of the rows, of `most` at most.
    void run_slice(const Call& call, const RowShare& share, std::int64_t most,
                   std::size_t offset = 0) const {
        char* memory = scratch_behind_outputs(call) + offset;
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            const Layer& layer = layers_[i];
            const SequenceArgs args = args_of(i, call);
            const TaskSize size = slice_size(layer, most, call.args);
            SequenceTask(layer.kernels, layer.packed, args, share, size, memory).run();
        }
    }

    void run_slices(const StackedPlan& plan, const Call& call, Team& team) const {
        const std::size_t bytes = slice_bytes(plan, call.args);
        team.run(plan.slices, [&](int slice) {
            run_slice(call, {slice, plan.slices}, most_rows(plan, call.args),
                      static_cast<std::size_t>(slice) * bytes);
        });
    }

    // Rolling layers read kLookAheadSteps steps ahead, so that those above start two tiles later.
    bool wave_rolls(const StackedArgs& sizes) const {
        return sizes.time >= kFewestStepsToRoll &&
               std::all_of(layers_.begin(), layers_.end(), [&](const Layer& layer) {
                   return can_roll(layer.kernels, sizes.batch, features_);
               });
    }

    // All layers' tasks at once.
    TaskSizes wave_sizes(const StackedArgs& sizes) const {
        TaskSizes result;
        const bool rolling = wave_rolls(sizes);
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            result[i] = task_size(layers_[i].kernels, {sizes.batch, sizes.batch, sizes.time},
                                  features_, rolling);
        }
        return result;
    }

    // Makes the tiles of all layers alike; returns their steps.
    std::int64_t settle_tile(const StackedPlan& plan, TaskSizes& sizes) const {
        if (sizes[0].rolling) return kLookAheadSteps;
        std::int64_t tile = std::max<std::int64_t>(plan.tile, 1);
        for (std::size_t i = 0; i < layers_.size(); ++i) tile = std::min(tile, sizes[i].tile);
        for (std::size_t i = 0; i < layers_.size(); ++i) sizes[i].tile = tile;
        return tile;
    }

    std::size_t wave_bytes(const StackedPlan& plan, const StackedArgs& sizes) const {
        TaskSizes all = wave_sizes(sizes);
        settle_tile(plan, all);
        std::size_t bytes = Wavefront::bytes(count());
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            bytes += task_scratch_bytes(layers_[i].shape(), all[i]);
        }
        return bytes;
    }

    void run_wavefront(const StackedPlan& plan, const Call& call, Team& team) const {
        TaskSizes sizes = wave_sizes(call.args);
        const std::int64_t tile = settle_tile(plan, sizes);
        Tasks tasks;
        char* scratch = scratch_behind_outputs(call);
        char* memory = scratch + Wavefront::bytes(count());
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            const Layer& layer = layers_[i];
            tasks[i].args = args_of(i, call);
            tasks[i].task.emplace(layer.kernels, layer.packed, tasks[i].args, RowShare{}, sizes[i],
                                  memory);
            tasks[i].task->begin();
            memory += task_scratch_bytes(layer.shape(), sizes[i]);
        }
        const std::int64_t tiles = (tasks[0].task->steps() + tile - 1) / tile;
        Wavefront wave(count(), tiles, scratch, sizes[0].rolling ? 1 : 0);
        wave.run(team, std::min(plan.slices, count()), [&](int layer, std::int64_t index) {
            SequenceTask& task = *tasks[static_cast<std::size_t>(layer)].task;
            task.run_steps(index * tile, std::min((index + 1) * tile, task.steps()));
        });
        for (std::size_t i = 0; i < layers_.size(); ++i) tasks[i].task->finish();
    }

    CpuFeatures features_;
    std::vector<Layer> layers_;
};

StackedSequence::StackedSequence(std::span<const StackedLayer> layers, Isa isa) {
    check_stack(layers);
    impl_ = std::make_unique<Impl>(layers, isa);
}

StackedSequence::~StackedSequence() = default;
StackedSequence::StackedSequence(StackedSequence&&) noexcept = default;
StackedSequence& StackedSequence::operator=(StackedSequence&&) noexcept = default;

StackedPlan StackedSequence::plan(const LayerShape& shape) const { return impl_->plan(shape); }

std::size_t StackedSequence::scratch_bytes(const StackedPlan& plan, const StackedArgs& sizes,
                                           int threads) const {
    return impl_->scratch_bytes(plan, sizes, threads);
}

void StackedSequence::run(const StackedPlan& plan, const StackedArgs& args, Team& team,
                          void* scratch) const {
    impl_->run(plan, args, team, static_cast<char*>(scratch));
}

std::size_t StackedSequence::size() const { return impl_->layers().size(); }

const RecurrentSequence& StackedSequence::layer(std::size_t index) const {
    return impl_->layers()[index].sequence;
}

}  // namespace rondo::cpu
