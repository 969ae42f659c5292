// A whole recurrent layer: packs its weights once, then runs sequences of any N and T.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "plugins/cpu/kernels/choice/strategy.hpp"
#include "plugins/cpu/kernels/choice/strategy_plan.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/sequence/sequence_args.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// Throws ModelError naming row and value where a length is < 0 or > time.
void check_lengths(const std::int64_t* lengths, std::int64_t batch, std::int64_t time);

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

    /// Bytes of scratch that run() needs for these sizes and Team::size() == threads.
    std::size_t scratch_bytes(std::int64_t batch, std::int64_t time, int threads) const;

    /// `scratch`: scratch_bytes(...) bytes on a 64-byte boundary. Allocates nothing, locks nothing.
    /// Whether denormals count as zero is the caller's and the team's choice (flush_denormals.hpp).
    void run(const SequenceArgs& args, Team& team, void* scratch) const;
    /// The same with weights that pack() wrote.
    void run_packed(const void* packed, const SequenceArgs& args, Team& team, void* scratch) const;

    /// What run() would do for these sizes, and why.
    StrategyChoice strategy(std::int64_t batch, std::int64_t time, int threads) const;

    /// How run() would go had it to take `strategy`; nothing where these sizes can't be shared so.
    std::optional<StrategyPlan> plan_as(Strategy strategy, std::int64_t batch, std::int64_t time,
                                        int threads) const;
    /// For measurements and tests, which force a strategy: bytes of scratch of run_as().
    std::size_t scratch_bytes_as(const StrategyPlan& plan, std::int64_t batch,
                                 std::int64_t time) const;
    /// run() with a plan of plan_as() for the sizes of `args`, instead of the one it would choose.
    void run_as(const StrategyPlan& plan, const SequenceArgs& args, Team& team,
                void* scratch) const;

    /// For `--explain` and profiles: "lstm_avx512_f32".
    const char* kernel_name() const;

    const SequenceConfig& config() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace rondo::cpu
