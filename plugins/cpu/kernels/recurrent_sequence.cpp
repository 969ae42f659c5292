#include "plugins/cpu/kernels/recurrent_sequence.hpp"

#include <algorithm>
#include <string>

#include "plugins/cpu/kernels/phase_gang.hpp"
#include "plugins/cpu/kernels/sequence_task.hpp"
#include "plugins/cpu/kernels/strategy_plan.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

// What the cells of one layer share.
bool alike(CellConfig a, const CellConfig& b) {
    a.f = b.f;
    a.g = b.g;
    a.h = b.h;
    return a == b;
}

void check_config(const SequenceConfig& config, const SequenceWeights& weights) {
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
    if (weights.w == nullptr || weights.r == nullptr) {
        throw ModelError("recurrent layer: W and R must be given");
    }
    if (config.cells[0].peephole && weights.p == nullptr) {
        throw ModelError("recurrent layer: the cell has peepholes but P is not given");
    }
}

// This machine's, but no better than the instruction set asked for.
CpuFeatures features_for(Isa isa) {
    CpuFeatures features = cpu_features();
    features.avx512 = features.avx512 && isa == Isa::avx512;
    features.avx2 = features.avx2 && isa != Isa::plain;
    return features;
}

LayerShape layer_shape(const SequenceConfig& config, std::int64_t batch, std::int64_t time,
                       int threads) {
    return {static_cast<int>(config.cells.size()), time, batch,
            std::min(threads, PhaseGang::kMaxSlices)};
}

// Part `index` of `count` of [0, total).
Range part(std::int64_t total, std::int64_t index, std::int64_t count) {
    return {total * index / count, total * (index + 1) / count};
}

}  // namespace

class RecurrentSequence::Impl {
public:
    Impl(const SequenceConfig& config, Isa isa, const SequenceWeights& weights)
        : config_(config), features_(features_for(isa)), gemm_(make_gemm_kernel(isa)) {
        for (int d = 0; d < static_cast<int>(config.cells.size()); ++d) {
            layers_.push_back(make_sequence_layer(config, d, isa, weights, *gemm_));
        }
    }

    int directions() const { return static_cast<int>(layers_.size()); }
    const CellShape& shape() const { return layers_[0].cell->shape(); }

    StrategyPlan plan(std::int64_t batch, std::int64_t time, int threads) const {
        return plan_strategy(config_.cells[0], features_,
                             layer_shape(config_, batch, time, threads));
    }

    TaskSize size_of_task(const StrategyPlan& plan, std::int64_t batch, std::int64_t time) const {
        const std::int64_t rows = (batch + plan.row_slices - 1) / plan.row_slices;
        return task_size(shape(), rows, time, features_.l2_bytes);
    }

    std::size_t scratch_bytes(std::int64_t batch, std::int64_t time, int threads) const {
        const StrategyPlan chosen = plan(batch, time, threads);
        const std::size_t task = task_scratch_bytes(shape(), size_of_task(chosen, batch, time));
        if (chosen.strategy == Strategy::hidden_split)
            return task + PhaseGang::bytes(chosen.slices);
        return task * static_cast<std::size_t>(chosen.slices);
    }

    void run(const SequenceArgs& args, Team& team, char* scratch) const {
        if (args.batch == 0) return;
        const StrategyPlan chosen = plan(args.batch, args.time, team.size());
        if (chosen.strategy == Strategy::serial) {
            const TaskSize size = size_of_task(chosen, args.batch, args.time);
            for (const SequenceLayer& layer : layers_) {
                run_task(layer, args, {0, args.batch}, size, scratch);
            }
        } else if (chosen.strategy == Strategy::hidden_split) {
            for (const SequenceLayer& layer : layers_) {
                run_hidden_split(layer, args, team, chosen, scratch);
            }
        } else {
            run_split(args, team, chosen, scratch);
        }
    }

    const SequenceConfig& config() const { return config_; }
    Isa isa() const { return features_.best(); }
    const char* kernel_name() const { return layers_[0].kernel_name; }

private:
    static void run_task(const SequenceLayer& layer, const SequenceArgs& args, Range rows,
                         const TaskSize& size, void* scratch) {
        SequenceTask(layer, args, rows, size, scratch).run();
    }

    // Tasks that know nothing of each other: slices of rows, for each direction.
    void run_split(const SequenceArgs& args, Team& team, const StrategyPlan& plan,
                   char* scratch) const {
        const TaskSize size = size_of_task(plan, args.batch, args.time);
        const std::size_t bytes = task_scratch_bytes(shape(), size);
        team.run(plan.slices, [&](int slice) {
            const SequenceLayer& layer = layers_[static_cast<std::size_t>(slice % directions())];
            const Range rows = part(args.batch, slice / directions(), plan.row_slices);
            run_task(layer, args, rows, size, scratch + static_cast<std::size_t>(slice) * bytes);
        });
    }

    // Every step is shared: a slice keeps its hidden blocks, and so its weights, for all steps.
    void run_hidden_split(const SequenceLayer& layer, const SequenceArgs& args, Team& team,
                          const StrategyPlan& plan, char* scratch) const {
        const TaskSize size = size_of_task(plan, args.batch, args.time);
        SequenceTask task(layer, args, {0, args.batch}, size,
                          scratch + PhaseGang::bytes(plan.slices));
        task.begin();
        const std::int64_t panels = gemm_->panels(layer.projection.view.n);
        const std::int64_t blocks = shape().blocks;
        const int cell_phases = layer.cell->phases();
        // Phases of a tile: prepare, project, then those of each step.
        const std::int64_t per_tile = 2 + size.tile * cell_phases;
        const std::int64_t tiles = (task.steps() + size.tile - 1) / size.tile;
        const std::int64_t spare = tiles * size.tile - task.steps();
        PhaseGang gang(plan.slices, tiles * per_tile - spare * cell_phases, scratch);
        gang.run(team, [&](std::int64_t phase, int slice) {
            const std::int64_t first = phase / per_tile * size.tile;
            const std::int64_t index = phase % per_tile;
            if (index == 0) {
                if (slice == 0) task.begin_tile(first);
            } else if (index == 1) {
                task.project(part(panels, slice, plan.slices));
            } else {
                task.step(first + (index - 2) / cell_phases,
                          static_cast<int>((index - 2) % cell_phases),
                          part(blocks, slice, plan.slices));
            }
        });
        task.finish();
    }

    SequenceConfig config_;
    CpuFeatures features_;
    std::unique_ptr<GemmKernel> gemm_;
    std::vector<SequenceLayer> layers_;
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
                                     const SequenceWeights& weights) {
    check_config(config, weights);
    impl_ = std::make_unique<Impl>(config, isa, weights);
}

RecurrentSequence::~RecurrentSequence() = default;
RecurrentSequence::RecurrentSequence(RecurrentSequence&&) noexcept = default;
RecurrentSequence& RecurrentSequence::operator=(RecurrentSequence&&) noexcept = default;

std::size_t RecurrentSequence::scratch_bytes(std::int64_t batch, std::int64_t time,
                                             int threads) const {
    return impl_->scratch_bytes(batch, time, threads);
}

void RecurrentSequence::run(const SequenceArgs& args, Team& team, void* scratch) const {
    impl_->run(args, team, static_cast<char*>(scratch));
}

StrategyChoice RecurrentSequence::strategy(std::int64_t batch, std::int64_t time,
                                           int threads) const {
    return strategy_for(config(), impl_->isa(), batch, time, threads);
}

StrategyChoice RecurrentSequence::strategy_for(const SequenceConfig& config, Isa isa,
                                               std::int64_t batch, std::int64_t time, int threads) {
    return choose_strategy(config.cells[0], features_for(isa),
                           layer_shape(config, batch, time, threads));
}

const char* RecurrentSequence::kernel_name() const { return impl_->kernel_name(); }

const SequenceConfig& RecurrentSequence::config() const { return impl_->config(); }

}  // namespace rondo::cpu
