#include "plugins/cpu/kernels/stacked_sequence.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "plugins/cpu/kernels/sequence_task.hpp"
#include "plugins/cpu/kernels/wavefront.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

constexpr std::size_t kMost = StackedSequence::kMostLayers;

// On a line of its own, since threads work on neighbours.
struct alignas(kCacheLine) TaskPlace {
    std::optional<SequenceTask> task;
};

using Tasks = std::array<TaskPlace, kMost>;
using TaskSizes = std::array<TaskSize, kMost>;
using LayerCalls = std::array<SequenceArgs, kMost>;

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

// This machine's, but no better than the instruction set asked for.
CpuFeatures features_for(Isa isa) {
    CpuFeatures features = cpu_features();
    features.avx512 = features.avx512 && isa == Isa::avx512;
    features.avx2 = features.avx2 && isa != Isa::plain;
    return features;
}

LayerShape shape_of(std::int64_t batch, std::int64_t time, int threads) {
    return {1, time, batch, threads};
}

// A layer whole, for one by one, and in parts, for tasks; both read the same packed weights.
struct Layer {
    Layer(const StackedLayer& from, Isa isa)
        : sequence(from.config, isa),
          gemm(make_gemm_kernel(isa, from.config.input_weights)),
          kernels(make_sequence_layer(from.config, 0, isa, *gemm)),
          memory(sequence.packed_bytes()) {
        sequence.pack(from.weights, memory.data());
        packed = packed_layer_at(kernels, memory.data());
    }

    const CellConfig& cell() const { return cell_of(sequence.config()); }
    const CellShape& shape() const { return kernels.cell->shape(); }

    RecurrentSequence sequence;
    std::unique_ptr<GemmKernel> gemm;
    SequenceLayer kernels;
    AlignedBytes memory;
    PackedLayer packed;
};

}  // namespace

class StackedSequence::Impl {
public:
    Impl(std::span<const StackedLayer> layers, Isa isa) : features_(features_for(isa)) {
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
            case StackedStrategy::batch_split:
                return bytes + slice_bytes(plan, sizes) * static_cast<std::size_t>(plan.slices);
            case StackedStrategy::wavefront: break;
        }
        return bytes + wave_bytes(plan, sizes);
    }

    void run(const StackedPlan& plan, const StackedArgs& args, Team& team, char* scratch) const {
        if (args.batch == 0) return;
        LayerCalls calls;
        scratch = make_calls(args, calls, scratch);
        switch (plan.strategy) {
            case StackedStrategy::one_by_one: return run_one_by_one(calls, team, scratch);
            case StackedStrategy::batch_split: return run_slices(plan, args, calls, team, scratch);
            case StackedStrategy::wavefront: break;
        }
        run_wavefront(plan, args, calls, team, scratch);
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

    // Every layer's arguments; the outputs that nobody else wants come first in scratch. Returns
    // what is left of it.
    char* make_calls(const StackedArgs& args, LayerCalls& calls, char* scratch) const {
        const void* x = args.x;
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            const StackedLayerArgs& layer = args.layers[i];
            SequenceArgs& call = calls[i];
            call = dense_args(layers_[i].sequence.config(), args.batch, args.time);
            call.x = x;
            call.lengths = args.lengths;
            call.h0 = layer.h0;
            call.c0 = layer.c0;
            call.ho = layer.ho;
            call.co = layer.co;
            call.y = layer.y;
            if (i + 1 < layers_.size()) {
                if (call.y == nullptr) call.y = scratch;
                scratch += output_bytes(i, args);
            }
            x = call.y;
        }
        return scratch;
    }

    void run_one_by_one(const LayerCalls& calls, Team& team, char* scratch) const {
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            layers_[i].sequence.run_packed(layers_[i].memory.data(), calls[i], team, scratch);
        }
    }

    TaskSize size_of_task(const Layer& layer, std::int64_t rows, std::int64_t time) const {
        const std::int64_t widened = layer.kernels.rows.converts() ? layer.cell().input_size : 0;
        return task_size(layer.shape(), {rows, time, 0, widened}, features_.l2_bytes);
    }

    static std::int64_t most_rows(const StackedPlan& plan, const StackedArgs& sizes) {
        return (sizes.batch + plan.slices - 1) / plan.slices;
    }

    // A slice runs its layers one after the other, in the same scratch.
    std::size_t slice_bytes(const StackedPlan& plan, const StackedArgs& sizes) const {
        std::size_t most = 0;
        for (const Layer& layer : layers_) {
            const TaskSize size = size_of_task(layer, most_rows(plan, sizes), sizes.time);
            most = std::max(most, task_scratch_bytes(layer.shape(), size));
        }
        return most;
    }

    void run_slices(const StackedPlan& plan, const StackedArgs& args, const LayerCalls& calls,
                    Team& team, char* scratch) const {
        const std::size_t bytes = slice_bytes(plan, args);
        team.run(plan.slices, [&](int slice) {
            const Range rows{args.batch * slice / plan.slices,
                             args.batch * (slice + 1) / plan.slices};
            char* memory = scratch + static_cast<std::size_t>(slice) * bytes;
            for (std::size_t i = 0; i < layers_.size(); ++i) {
                const Layer& layer = layers_[i];
                const TaskSize size = size_of_task(layer, most_rows(plan, args), args.time);
                SequenceTask(layer.kernels, layer.packed, calls[i], rows, size, memory).run();
            }
        });
    }

    // All layers' tasks at once, with one size of tile.
    TaskSizes wave_sizes(const StackedPlan& plan, const StackedArgs& sizes) const {
        TaskSizes result;
        std::int64_t tile = std::max<std::int64_t>(plan.tile, 1);
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            result[i] = size_of_task(layers_[i], sizes.batch, sizes.time);
            tile = std::min(tile, result[i].tile);
        }
        for (TaskSize& size : result) size.tile = tile;
        return result;
    }

    std::size_t wave_bytes(const StackedPlan& plan, const StackedArgs& sizes) const {
        const TaskSizes all = wave_sizes(plan, sizes);
        std::size_t bytes = Wavefront::bytes(count());
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            bytes += task_scratch_bytes(layers_[i].shape(), all[i]);
        }
        return bytes;
    }

    void run_wavefront(const StackedPlan& plan, const StackedArgs& args, const LayerCalls& calls,
                       Team& team, char* scratch) const {
        const TaskSizes sizes = wave_sizes(plan, args);
        Tasks tasks;
        char* memory = scratch + Wavefront::bytes(count());
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            const Layer& layer = layers_[i];
            tasks[i].task.emplace(layer.kernels, layer.packed, calls[i], Range{0, args.batch},
                                  sizes[i], memory);
            tasks[i].task->begin();
            memory += task_scratch_bytes(layer.shape(), sizes[i]);
        }
        const std::int64_t tile = sizes[0].tile;
        Wavefront wave(count(), (tasks[0].task->steps() + tile - 1) / tile, scratch);
        wave.run(team, std::min(plan.slices, count()), [&](int layer, std::int64_t index) {
            tasks[static_cast<std::size_t>(layer)].task->run_tile(index * tile);
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

StackedPlan StackedSequence::plan(std::int64_t batch, std::int64_t time, int threads) const {
    return impl_->plan(shape_of(batch, time, threads));
}

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
