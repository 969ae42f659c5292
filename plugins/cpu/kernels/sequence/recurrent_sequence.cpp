#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/machine/shared_bytes.hpp"
#include "plugins/cpu/kernels/sequence/sequence_layer.hpp"
#include "plugins/cpu/kernels/sequence/sequence_task.hpp"
#include "plugins/cpu/kernels/sequence/task_modes.hpp"
#include "plugins/cpu/kernels/sequence/task_plan.hpp"
#include "plugins/cpu/kernels/threads/step_barrier.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

// The directions of a layer, and the packed weights of each.
struct BoundLayer {
    std::span<const SequenceLayer> directions;
    std::array<PackedLayer, 2> weights;
};

// A slice keeps its hidden blocks, and so its weights, for all steps. Phases of a tile of steps:
// preparing it (one slice; the caller prepares the first tile), then those of its steps. The first
// of these also projects the slice's part of the tile's inputs, which only this slice reads.
class HiddenSplit {
public:
    // For a task that has begun.
    HiddenSplit(const SequenceTask& task, int slices)
        : slices_(slices),
          cell_phases_(task.cell_phases()),
          tile_phases_(1 + task.tile() * cell_phases_) {
        const std::int64_t tiles = divide_up(task.steps(), task.tile());
        phases_ = tiles == 0 ? 0 : tiles - 1 + task.steps() * cell_phases_;
    }

    std::int64_t phases() const { return phases_; }

    // `task`: the one that this was made for, on its first tile before phase 0. False
    // where the call is cancelled.
    bool run(SequenceTask& task, std::int64_t phase, int slice) const {
        if (task.cancelled()) return false;
        const Range blocks = task.blocks_of(slice, slices_);
        const std::int64_t place =
            phase + 1;  // as if the first tile had been prepared in a phase too
        const std::int64_t first = place / tile_phases_ * task.tile();
        const std::int64_t index = place % tile_phases_ - 1;
        if (index < 0) {
            if (slice == 0) task.begin_tile(first);
            return true;
        }
        if (index == 0) task.project(task.panels_of(blocks));
        task.step(first + index / cell_phases_, static_cast<int>(index % cell_phases_), blocks,
                  slice);
        return true;
    }

private:
    int slices_;
    std::int64_t cell_phases_;
    std::int64_t tile_phases_;  // of a whole tile
    std::int64_t phases_;
};

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

// `scratch`: the plan's scratch_bytes on a 64-byte boundary. Allocates nothing, locks nothing.
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

// Packed by one thread; less isn't worth a thread's wake-up.
constexpr std::size_t kPackedSliceBytes = 128 * 1024;

void check_weights(const SequenceConfig& config, const SequenceWeights& weights) {
    const CellConfig& cell = config.cells[0];
    if ((weights.w == nullptr && cell.input_size > 0) || weights.r == nullptr) {
        throw ModelError("recurrent layer: W and R must be given");
    }
    if (cell.peephole && weights.p == nullptr) {
        throw ModelError("recurrent layer: the cell has peepholes but P is not given");
    }
}

}  // namespace

class RecurrentSequence::Impl {
public:
    Impl(const SequenceConfig& config, Isa isa)
        : config_(config),
          features_(features_up_to(isa)),
          gemm_(shared_gemm_kernel(isa, config.input_weights)) {
        for (int d = 0; d < static_cast<int>(config.cells.size()); ++d) {
            layers_.push_back(make_sequence_layer(config, d, isa, *gemm_));
        }
    }

    SharedBytes packed(const SequenceWeights& weights) const {
        const auto fill = [&](std::byte* memory) {
            SerialTeam team;
            pack(weights, memory, team);
        };
        const auto describe = [&](Digester& source) { this->describe(weights, source); };
        return {packed_bytes(), fill, describe};
    }

    void keep(const SequenceWeights& weights) {
        own_memory_ = packed(weights);
        const std::byte* packed = own_memory_.data();
        for (SequenceLayer& layer : layers_) {
            find_sparse(layer, packed);
            packed += layer_bytes();
        }
    }

    std::size_t packed_bytes() const { return layer_bytes() * layers_.size(); }

    void pack(const SequenceWeights& weights, void* memory, Team& team) const {
        check_weights(config_, weights);
        const std::size_t worth = std::max<std::size_t>(packed_bytes() / kPackedSliceBytes, 1);
        const auto size = static_cast<std::size_t>(team.size());
        const int slices = static_cast<int>(std::min(worth, size));
        team.run(slices, [&](int slice) {
            auto* out = static_cast<char*>(memory);
            const Range blocks = slice_of(shape().blocks, slice, slices);
            for (const SequenceLayer& layer : layers_) {
                pack_layer(layer, weights, out, blocks);
                out += layer_bytes();
            }
        });
    }

    BoundLayer bind(const void* packed) const {
        BoundLayer bound{layers_, {}};
        for (std::size_t d = 0; d < layers_.size(); ++d) {
            const void* own = static_cast<const char*>(packed) + layer_bytes() * d;
            bound.weights[d] = packed_layer_at(layers_[d], own);
        }
        return bound;
    }

    SequencePlan prepare(const StrategyChoice& choice, std::int64_t batch,
                         std::int64_t time) const {
        SequencePlan plan;
        plan.choice = choice;
        plan.batch = batch;
        plan.time = time;
        const std::int64_t rows = divide_up(batch, choice.row_slices);
        plan.task = plan_task(layers_[0], {rows, batch, time}, features_);
        plan.scratch_bytes = plan.task.bytes;
        if (choice.strategy == Strategy::hidden_split) {
            plan.scratch_bytes += StepBarrier::bytes(choice.slices);
        } else {
            plan.scratch_bytes *= static_cast<std::size_t>(choice.slices);
        }
        return plan;
    }

    const SequenceConfig& config() const { return config_; }
    const CpuFeatures& features() const { return features_; }
    const void* own_weights() const { return own_memory_.data(); }
    const char* kernel_name() const { return layers_[0].kernel_name; }
    std::string sparse_text() const {
        const auto& sparse = layers_[0].sparse;
        return sparse == nullptr ? "" : sparse->text();
    }

private:
    // All that packing depends on.
    void describe(const SequenceWeights& weights, Digester& source) const {
        const CellConfig& cell = config_.cells[0];
        for (const auto text :
             {std::string_view(layers_[0].kernel_name), std::string_view(name_of(cell.weights)),
              std::string_view(name_of(config_.input_weights)), to_string(config_.data)}) {
            source.add_text(text);
        }
        const auto count = static_cast<std::int64_t>(config_.cells.size());
        const CellShape& sizes = shape();
        for (const std::int64_t number :
             {count, static_cast<std::int64_t>(cell.kind), cell.input_size, sizes.hidden,
              static_cast<std::int64_t>(cell.reset), static_cast<std::int64_t>(cell.peephole),
              static_cast<std::int64_t>(sizes.lanes), static_cast<std::int64_t>(sizes.gates),
              static_cast<std::int64_t>(sizes.together), sizes.k,
              static_cast<std::int64_t>(gemm_->lanes()),
              static_cast<std::int64_t>(gemm_->together()), gemm_->padded_k(cell.input_size)}) {
            source.add_number(static_cast<std::uint64_t>(number));
        }
        const std::int64_t units = count * sizes.hidden;
        const std::int64_t rows = units * sizes.gates;
        const auto data = static_cast<std::int64_t>(size_of(config_.data));
        add_numbers(weights.w, rows * cell.input_size, config_.input_weights.bytes(), source);
        add_numbers(weights.r, rows * sizes.hidden, cell.weights.bytes(), source);
        add_numbers(weights.b, units * biases_of(cell), data, source);
        add_numbers(weights.p, units * 3, data, source);
        add_numbers(weights.w_scale, rows, sizeof(float), source);
        add_numbers(weights.r_scale, rows, sizeof(float), source);
    }

    const CellShape& shape() const { return layers_[0].cell->shape(); }
    std::size_t layer_bytes() const { return packed_layer_bytes(layers_[0]); }

    SequenceConfig config_;
    CpuFeatures features_;
    std::shared_ptr<const GemmKernel> gemm_;
    std::vector<SequenceLayer> layers_;
    SharedBytes own_memory_;  // empty where weights come with each run
};

RecurrentSequence::RecurrentSequence(const SequenceConfig& config, Isa isa,
                                     const SequenceWeights& weights)
    : RecurrentSequence(config, isa) {
    impl_->keep(weights);
}

RecurrentSequence::RecurrentSequence(const SequenceConfig& config, Isa isa) {
    check_sequence_config(config);
    impl_ = std::make_unique<Impl>(config, isa);
}

RecurrentSequence::~RecurrentSequence() = default;
RecurrentSequence::RecurrentSequence(RecurrentSequence&&) noexcept = default;
RecurrentSequence& RecurrentSequence::operator=(RecurrentSequence&&) noexcept = default;

std::size_t RecurrentSequence::packed_bytes() const { return impl_->packed_bytes(); }

void RecurrentSequence::pack(const SequenceWeights& weights, void* memory, Team& team) const {
    impl_->pack(weights, memory, team);
}

SharedBytes RecurrentSequence::packed(const SequenceWeights& weights) const {
    return impl_->packed(weights);
}

SequencePlan RecurrentSequence::prepare(std::int64_t batch, std::int64_t time, int threads,
                                        TeamState team) const {
    const LayerShape sizes = shape(batch, time, threads, team);
    return plan_for(choose_strategy(config().cells[0], costs(), sizes), batch, time);
}

SequencePlan RecurrentSequence::plan_for(const StrategyChoice& choice, std::int64_t batch,
                                         std::int64_t time) const {
    return impl_->prepare(choice, batch, time);
}

void RecurrentSequence::run(const SequencePlan& plan, const SequenceArgs& args, Team& team,
                            void* scratch) const {
    run_packed(impl_->own_weights(), plan, args, team, scratch);
}

void RecurrentSequence::run_packed(const void* packed, const SequencePlan& plan,
                                   const SequenceArgs& args, Team& team, void* scratch) const {
    run_sequence(plan, impl_->bind(packed), args, team, scratch);
}

LayerShape RecurrentSequence::shape(std::int64_t batch, std::int64_t time, int threads,
                                    TeamState team) const {
    LayerShape shape;
    shape.directions = static_cast<int>(config().cells.size());
    shape.time = time;
    shape.batch = batch;
    shape.threads = team == TeamState::alone ? 1 : std::min(threads, StepBarrier::kMaxSlices);
    shape.awake = team == TeamState::awake;
    return shape;
}

CostModel RecurrentSequence::costs() const { return CostModel(impl_->features()); }

const char* RecurrentSequence::kernel_name() const { return impl_->kernel_name(); }

std::string RecurrentSequence::sparse_text() const { return impl_->sparse_text(); }

const SequenceConfig& RecurrentSequence::config() const { return impl_->config(); }

}  // namespace rondo::cpu
