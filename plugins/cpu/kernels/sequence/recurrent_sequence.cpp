#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/kernels/machine/shared_bytes.hpp"
#include "plugins/cpu/kernels/sequence/sequence_run.hpp"
#include "plugins/cpu/kernels/threads/step_barrier.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

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

    void keep(const SequenceWeights& weights) {
        AlignedBytes bytes(packed_bytes());
        SerialTeam team;
        pack(weights, bytes.data(), team);
        own_memory_ = SharedBytes(std::move(bytes));
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
