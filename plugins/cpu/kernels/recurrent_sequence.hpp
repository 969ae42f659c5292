// A whole recurrent layer: packs its weights once, then runs sequences of any N and T.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugins/cpu/kernels/cell_config.hpp"
#include "plugins/cpu/kernels/cpu_features.hpp"
#include "plugins/cpu/kernels/strategy.hpp"
#include "plugins/cpu/kernels/strategy_plan.hpp"
#include "plugins/cpu/kernels/team.hpp"

namespace rondo::cpu {

enum class SequenceDirection { forward, reverse, bidirectional };

/// D = cells.size(): 2 where bidirectional (forward first), else 1. The cells of one layer agree in
/// kind, sizes, clip, peephole, input_forget and weights; activations may differ.
struct SequenceConfig {
    std::vector<CellConfig> cells;
    SequenceDirection direction = SequenceDirection::forward;
    ElementType input_weights = ElementType::f32;  ///< how W is stored; CellConfig::weights: R
    /// Of X, B, P, states and Y. f16 and bf16 are storage only: the state stays f32 inside a
    /// sequence and is rounded to nearest even where it goes out. f64 stands for all types or none.
    ElementType data = ElementType::f32;
};

/// Gate orders fico and zrh. W: [D,G*H,I] of type input_weights, R: [D,G*H,H] of type weights,
/// B: [D,G*H] ([D,4H] for gru_linear_before_reset) or null, P: [D,3H] or null. Read while packing
/// only.
struct SequenceWeights {
    const void* w = nullptr;
    const void* r = nullptr;
    const void* b = nullptr;
    const void* p = nullptr;
};

/// How a [N,D,H] tensor lies in memory, in elements; H is contiguous.
struct StateStrides {
    std::int64_t batch = 0;
    std::int64_t direction = 0;
};

/// Pointers and strides of one call; strides count elements (of SequenceConfig::data), the last
/// dimension is contiguous.
/// Outputs may not overlap inputs, but ho may be h0 and co may be c0 (state kept in place).
struct SequenceArgs {
    std::int64_t batch = 0;  ///< N, may be 0
    std::int64_t time = 0;   ///< T, may be 0

    const void* x = nullptr;  ///< X: [N,T,I]
    std::int64_t x_batch_stride = 0;
    std::int64_t x_time_stride = 0;

    const void* h0 = nullptr;               ///< [N,D,H]; null = zeros
    const void* c0 = nullptr;               ///< LSTM only; null = zeros
    const std::int64_t* lengths = nullptr;  ///< [N], checked by check_lengths(); null = all T

    void* y = nullptr;  ///< Y: [N,D,T,H]; null = not wanted
    std::int64_t y_batch_stride = 0;
    std::int64_t y_direction_stride = 0;
    std::int64_t y_time_stride = 0;

    void* ho = nullptr;  ///< [N,D,H]; null = not wanted
    void* co = nullptr;  ///< LSTM only; null = not wanted
    StateStrides state;  ///< of h0, c0, ho and co
};

/// Fills batch, time and every stride for dense batch-first tensors: X [N,T,I], Y [N,D,T,H],
/// states [N,D,H].
SequenceArgs dense_args(const SequenceConfig& config, std::int64_t batch, std::int64_t time);

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
