// A whole recurrent layer: packs its weights once, then runs sequences of any N and T.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/machine/shared_bytes.hpp"
#include "plugins/cpu/kernels/sequence/sequence_args.hpp"
#include "plugins/cpu/kernels/sequence/task_plan.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// Immutable after construction; run() may be called from many threads, each with its own scratch.
/// Same input, same bits: for any team, split of the batch, instruction set, or split of the
/// sequence into chunks whose state is carried on (where the data is not rounded to 16 bits).
class RecurrentSequence {
public:
    /// Weights that are known now: packed once, into memory of its own. Throws ModelError where
    /// config or weights contradict each other.
    RecurrentSequence(const SequenceConfig& config, Isa isa, const SequenceWeights& weights);
    /// Weights that come with each run, see pack().
    RecurrentSequence(const SequenceConfig& config, Isa isa);
    ~RecurrentSequence();
    RecurrentSequence(RecurrentSequence&&) noexcept;
    RecurrentSequence& operator=(RecurrentSequence&&) noexcept;

    /// Bytes that pack() writes.
    std::size_t packed_bytes() const;

    /// Packs weights into `memory` (packed_bytes() on a 64-byte boundary). Allocates nothing.
    void pack(const SequenceWeights& weights, void* memory, Team& team) const;

    /// The same into memory of its own, or where equal ones are already.
    SharedBytes packed(const SequenceWeights& weights) const;

    /// The best plan for calls with this N and T, and a team of so many threads in this state.
    SequencePlan prepare(std::int64_t batch, std::int64_t time, int threads,
                         TeamState team = TeamState::awake) const;

    /// Runs calls of the plan's sizes. `scratch`: the plan's scratch_bytes on a 64-byte boundary.
    /// Allocates nothing, locks nothing. Whether denormals count as zero is up to the caller and
    /// the team (flush_denormals.hpp).
    void run(const SequencePlan& plan, const SequenceArgs& args, Team& team, void* scratch) const;
    /// The same with weights that pack() wrote.
    void run_packed(const void* packed, const SequencePlan& plan, const SequenceArgs& args,
                    Team& team, void* scratch) const;

    /// The sizes that choices for this layer are made for.
    LayerShape shape(std::int64_t batch, std::int64_t time, int threads,
                     TeamState team = TeamState::awake) const;

    /// For `--explain` and profiles: "lstm_avx512_f32".
    const char* kernel_name() const;
    /// For the same: which part of block-sparse weights a row reads; else "".
    std::string sparse_text() const;

    const SequenceConfig& config() const;

private:
    friend struct ForcedPlan;  // tests and benchmarks compare strategies that are not chosen

    /// A plan for a choice that estimate() made for this layer and these sizes.
    SequencePlan plan_for(const StrategyChoice& choice, std::int64_t batch,
                          std::int64_t time) const;
    /// What the layer costs on the instruction set that it was made for.
    CostModel costs() const;

    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace rondo::cpu
