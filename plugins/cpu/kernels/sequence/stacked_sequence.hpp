// Recurrent layers that feed each other, run together: packs their weights once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/support/function_ref.hpp"
#include "plugins/cpu/kernels/sequence/stacked_run.hpp"

namespace rondo::cpu {

/// Immutable after construction; run() may be called from many threads, each with its own scratch.
/// The bits are those of the layers run one after the other as RecurrentSequences.
class StackedSequence {
public:
    /// `layers`: 2 to kMaxStackedLayers, bottom first. `packed` is called with the
    /// number of each layer once its weights aren't read any more. Throws as check_stack() does.
    StackedSequence(
        std::span<const StackedLayer> layers, Isa isa,
        FunctionRef<void(std::size_t layer)> packed = [](std::size_t) {});

    /// The best plan for calls with this N and T, and a team of so many threads in this state.
    StackedPlan prepare(std::int64_t batch, std::int64_t time, int threads,
                        TeamState team = TeamState::awake) const;

    /// Runs calls of the plan's sizes. `scratch`: the plan's scratch_bytes on a 64-byte boundary.
    /// Allocates nothing, locks nothing.
    void run(const StackedPlan& plan, const StackedArgs& args, Team& team, void* scratch) const;

    /// The sizes that choices for these layers are made for.
    LayerShape shape(std::int64_t batch, std::int64_t time, int threads,
                     TeamState team = TeamState::awake) const;

    std::size_t size() const { return layers_.size(); }
    const RecurrentSequence& layer(std::size_t index) const { return layers_[index].sequence; }

private:
    friend struct ForcedPlan;  // tests and benchmarks compare strategies that are not chosen

    /// A plan with the given choice, whose one_by_one layers choose for themselves.
    StackedPlan plan_for(const StackedChoice& choice, const LayerShape& shape) const;

    CpuFeatures features_;
    std::vector<PackedStackedLayer> layers_;
};

}  // namespace rondo::cpu
