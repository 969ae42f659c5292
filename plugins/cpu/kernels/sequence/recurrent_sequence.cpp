#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/kernels/choice/strategy_plan.hpp"
#include "plugins/cpu/kernels/sequence/hidden_split.hpp"
#include "plugins/cpu/kernels/sequence/sequence_task.hpp"
#include "plugins/cpu/kernels/threads/phase_gang.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

// Packed by one thread; less isn't worth a thread's wake-up.
constexpr std::size_t kPackedSliceBytes = 128 * 1024;

// What the cells of one layer share.
bool alike(CellConfig a, const CellConfig& b) {
    a.f = b.f;
    a.g = b.g;
    a.h = b.h;
    return a == b;
}

void check_types(const SequenceConfig& config) {
    const ElementType recurrent = config.cells[0].weights;
    for (const ElementType type : {config.input_weights, config.data}) {
        if (is_floating(type) && precision_of(type) == precision_of(recurrent)) continue;
        throw ModelError("recurrent layer: R has type " + std::string(to_string(recurrent)) +
                         ", W " + std::string(to_string(config.input_weights)) + " and the data " +
                         std::string(to_string(config.data)) +
                         "; expected f64 for all, or f32, f16 or bf16 for each");
    }
}

void check_config(const SequenceConfig& config) {
    const std::size_t directions = config.direction == SequenceDirection::bidirectional ? 2 : 1;
    if (config.cells.size() != directions) {
        throw ModelError("recurrent layer: got " + std::to_string(config.cells.size()) +
                         " cells for " + std::to_string(directions) + " direction(s)");
    }
    for (const CellConfig& cell : config.cells) {
        check_cell(cell);
        if (!alike(cell, config.cells[0])) {
            throw ModelError(
                "recurrent layer: the cells of both directions may differ in their "
                "activations only");
        }
    }
    check_types(config);
}

void check_weights(const SequenceConfig& config, const SequenceWeights& weights) {
    const CellConfig& cell = config.cells[0];
    if ((weights.w == nullptr && cell.input_size > 0) || weights.r == nullptr) {
        throw ModelError("recurrent layer: W and R must be given");
    }
    if (cell.peephole && weights.p == nullptr) {
        throw ModelError("recurrent layer: the cell has peepholes but P is not given");
    }
}

LayerShape layer_shape(const SequenceConfig& config, std::int64_t batch, std::int64_t time,
                       int threads, bool awake = true) {
    return {static_cast<int>(config.cells.size()), time, batch,
            std::min(threads, PhaseGang::kMaxSlices), awake};
}

static_assert(SequenceTask::kMaxSlices >= PhaseGang::kMaxSlices);

// One for each direction.
using PackedLayers = std::array<PackedLayer, 2>;

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

    void keep(const SequenceWeights& weights) {
        own_memory_ = AlignedBytes(packed_bytes());
        SerialTeam team;
        pack(weights, own_memory_.data(), team);
        own_weights_ = packed_at(own_memory_.data());
    }
    const PackedLayers& own_weights() const { return own_weights_; }

    PackedLayers packed_at(const void* memory) const {
        PackedLayers packed;
        for (std::size_t d = 0; d < layers_.size(); ++d) {
            const void* own = static_cast<const char*>(memory) + layer_bytes() * d;
            packed[d] = packed_layer_at(layers_[d], own);
        }
        return packed;
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

    int directions() const { return static_cast<int>(layers_.size()); }
    const CellShape& shape() const { return layers_[0].cell->shape(); }

    StrategyPlan plan(std::int64_t batch, std::int64_t time, int threads, bool awake = true) const {
        return plan_strategy(config_.cells[0], features_,
                             layer_shape(config_, batch, time, threads, awake));
    }

    TaskSize size_of_task(const StrategyPlan& plan, std::int64_t batch, std::int64_t time) const {
        const std::int64_t rows = (batch + plan.row_slices - 1) / plan.row_slices;
        return task_size(layers_[0], {rows, batch, time}, features_);
    }

    std::optional<StrategyPlan> plan_as(Strategy strategy, const LayerShape& sizes) const {
        return rondo::cpu::plan_as(strategy, config_.cells[0], features_, sizes);
    }

    std::size_t scratch_bytes(std::int64_t batch, std::int64_t time, int threads) const {
        // A team may sleep, or be down to one thread for a while.
        return std::max({planned_bytes(plan(batch, time, threads), batch, time),
                         planned_bytes(plan(batch, time, threads, false), batch, time),
                         planned_bytes(plan(batch, time, 1), batch, time)});
    }

    std::size_t planned_bytes(const StrategyPlan& chosen, std::int64_t batch,
                              std::int64_t time) const {
        const std::size_t task = task_scratch_bytes(shape(), size_of_task(chosen, batch, time));
        if (chosen.strategy == Strategy::hidden_split)
            return task + PhaseGang::bytes(chosen.slices);
        return task * static_cast<std::size_t>(chosen.slices);
    }

    void run(const PackedLayers& packed, const SequenceArgs& args, Team& team,
             char* scratch) const {
        run_as(plan(args.batch, args.time, team.ready(), team.awake()), packed, args, team,
               scratch);
    }

    void run_as(const StrategyPlan& chosen, const PackedLayers& packed, const SequenceArgs& args,
                Team& team, char* scratch) const {
        if (args.batch == 0) return;
        if (chosen.strategy == Strategy::serial) {
            const TaskSize size = size_of_task(chosen, args.batch, args.time);
            for (int d = 0; d < directions(); ++d) {
                run_task(direction(d, packed), args, {}, size, scratch);
            }
        } else if (chosen.strategy == Strategy::hidden_split) {
            for (int d = 0; d < directions(); ++d) {
                run_hidden_split(direction(d, packed), args, team, chosen, scratch);
            }
        } else {
            run_split(packed, args, team, chosen, scratch);
        }
    }

    const SequenceConfig& config() const { return config_; }
    const CpuFeatures& features() const { return features_; }
    const char* kernel_name() const { return layers_[0].kernel_name; }

private:
    struct Direction {
        const SequenceLayer& layer;
        const PackedLayer& weights;
    };

    Direction direction(int index, const PackedLayers& packed) const {
        const auto d = static_cast<std::size_t>(index);
        return {layers_[d], packed[d]};
    }

    std::size_t layer_bytes() const { return packed_layer_bytes(layers_[0]); }

    static void run_task(const Direction& of, const SequenceArgs& args, const RowShare& share,
                         const TaskSize& size, void* scratch) {
        SequenceTask(of.layer, of.weights, args, share, size, scratch).run();
    }

    // Tasks that know nothing of each other: slices of rows, for each direction.
    void run_split(const PackedLayers& packed, const SequenceArgs& args, Team& team,
                   const StrategyPlan& plan, char* scratch) const {
        const TaskSize size = size_of_task(plan, args.batch, args.time);
        const std::size_t bytes = task_scratch_bytes(shape(), size);
        team.run(plan.slices, [&](int slice) {
            const RowShare share{slice / directions(), plan.row_slices};
            run_task(direction(slice % directions(), packed), args, share, size,
                     scratch + static_cast<std::size_t>(slice) * bytes);
        });
    }

    // Every step is shared: a slice keeps its hidden blocks, and so its weights, for all steps.
    void run_hidden_split(const Direction& of, const SequenceArgs& args, Team& team,
                          const StrategyPlan& plan, char* scratch) const {
        const TaskSize size = size_of_task(plan, args.batch, args.time);
        SequenceTask task(of.layer, of.weights, args, {}, size,
                          scratch + PhaseGang::bytes(plan.slices));
        task.begin();
        if (!task.rolling()) task.begin_tile(0);
        const HiddenSplit split(task, plan.slices);
        PhaseGang gang(plan.slices, split.phases(), scratch);
        gang.run(team, [&](std::int64_t phase, int slice) { split.run(task, phase, slice); });
        task.finish();
    }

    SequenceConfig config_;
    CpuFeatures features_;
    std::shared_ptr<const GemmKernel> gemm_;
    std::vector<SequenceLayer> layers_;
    AlignedBytes own_memory_;  // empty where weights come with each run
    PackedLayers own_weights_;
};

SequenceArgs dense_args(const SequenceConfig& config, std::int64_t batch, std::int64_t time) {
    const auto directions = static_cast<std::int64_t>(config.cells.size());
    const std::int64_t input = config.cells[0].input_size, hidden = config.cells[0].hidden_size;
    SequenceArgs args;
    args.batch = batch;
    args.time = time;
    args.x_batch_stride = time * input;
    args.x_time_stride = input;
    args.y_batch_stride = directions * time * hidden;
    args.y_direction_stride = time * hidden;
    args.y_time_stride = hidden;
    args.state = {directions * hidden, hidden};
    return args;
}

void check_lengths(const std::int64_t* lengths, std::int64_t batch, std::int64_t time) {
    for (std::int64_t row = 0; row < batch; ++row) {
        if (lengths[row] >= 0 && lengths[row] <= time) continue;
        throw ModelError("sequence lengths: row " + std::to_string(row) + " has length " +
                         std::to_string(lengths[row]) + "; expected 0 to " + std::to_string(time));
    }
}

RecurrentSequence::RecurrentSequence(const SequenceConfig& config, Isa isa,
                                     const SequenceWeights& weights)
    : RecurrentSequence(config, isa) {
    impl_->keep(weights);
}

RecurrentSequence::RecurrentSequence(const SequenceConfig& config, Isa isa) {
    check_config(config);
    impl_ = std::make_unique<Impl>(config, isa);
}

RecurrentSequence::~RecurrentSequence() = default;
RecurrentSequence::RecurrentSequence(RecurrentSequence&&) noexcept = default;
RecurrentSequence& RecurrentSequence::operator=(RecurrentSequence&&) noexcept = default;

std::size_t RecurrentSequence::scratch_bytes(std::int64_t batch, std::int64_t time,
                                             int threads) const {
    return impl_->scratch_bytes(batch, time, threads);
}

void RecurrentSequence::run(const SequenceArgs& args, Team& team, void* scratch) const {
    impl_->run(impl_->own_weights(), args, team, static_cast<char*>(scratch));
}

void RecurrentSequence::run_packed(const void* packed, const SequenceArgs& args, Team& team,
                                   void* scratch) const {
    impl_->run(impl_->packed_at(packed), args, team, static_cast<char*>(scratch));
}

std::size_t RecurrentSequence::packed_bytes() const { return impl_->packed_bytes(); }

void RecurrentSequence::pack(const SequenceWeights& weights, void* memory, Team& team) const {
    impl_->pack(weights, memory, team);
}

StrategyChoice RecurrentSequence::strategy(std::int64_t batch, std::int64_t time,
                                           int threads) const {
    return choose_strategy(config().cells[0], impl_->features(),
                           layer_shape(config(), batch, time, threads));
}

std::optional<StrategyPlan> RecurrentSequence::plan_as(Strategy strategy, std::int64_t batch,
                                                       std::int64_t time, int threads) const {
    return impl_->plan_as(strategy, layer_shape(config(), batch, time, threads));
}

std::size_t RecurrentSequence::scratch_bytes_as(const StrategyPlan& plan, std::int64_t batch,
                                                std::int64_t time) const {
    return impl_->planned_bytes(plan, batch, time);
}

void RecurrentSequence::run_as(const StrategyPlan& plan, const SequenceArgs& args, Team& team,
                               void* scratch) const {
    impl_->run_as(plan, impl_->own_weights(), args, team, static_cast<char*>(scratch));
}

const char* RecurrentSequence::kernel_name() const { return impl_->kernel_name(); }

const SequenceConfig& RecurrentSequence::config() const { return impl_->config(); }

}  // namespace rondo::cpu
