// A recurrent layer and one call of it, in plain structs.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "plugins/cpu/kernels/cell/cell_config.hpp"

namespace rondo::cpu {

using ops::Direction;

/// D = cells.size(): 2 where bidirectional (forward first), else 1. The cells of one layer agree in
/// kind, sizes, clip, peephole, input_forget and weights; activations may differ.
struct SequenceConfig {
    std::vector<CellConfig> cells;
    Direction direction = Direction::forward;
    WeightFormat input_weights;  ///< of W; CellConfig::weights: of R
    /// The type of X, B, P, states and Y. f16 and bf16 are storage only: the state stays f32 inside
    /// a sequence and is rounded to nearest even at its end. If one type is f64, all are.
    ElementType data = ElementType::f32;
};

/// Gate orders fico and zrh. W: [D,G*H,I] of type input_weights, R: [D,G*H,H] of type weights,
/// B: [D,G*H] ([D,4H] for gru_linear_before_reset) or null, P: [D,3H] or null. Scales of the rows
/// of W and R where these are integers: [D,G*H] and finite, or null for 1. Read while packing only.
struct SequenceWeights {
    const void* w = nullptr;
    const void* r = nullptr;
    const void* b = nullptr;
    const void* p = nullptr;
    const float* w_scale = nullptr;
    const float* r_scale = nullptr;
};

/// How a [N,D,H] tensor lies in memory, in elements; H is contiguous.
struct StateStrides {
    std::int64_t batch = 0;
    std::int64_t direction = 0;
};

/// Pointers and strides of one call; strides count elements (of SequenceConfig::data), the last
/// dimension is contiguous.
/// Outputs may not overlap inputs, but ho may be h0 and co may be c0 (state kept in place) where
/// both have the same strides.
struct SequenceArgs {        // lint: allow(members): the arguments of one call
    std::int64_t batch = 0;  ///< N, may be 0
    std::int64_t time = 0;   ///< T, may be 0

    const void* x = nullptr;  ///< X: [N,T,I]
    std::int64_t x_batch_stride = 0;
    std::int64_t x_time_stride = 0;

    const void* h0 = nullptr;               ///< [N,D,H]; null = zeros
    const void* c0 = nullptr;               ///< LSTM only; null = zeros
    const std::int64_t* lengths = nullptr;  ///< [N], checked: 0 to T; null = all T

    void* y = nullptr;  ///< Y: [N,D,T,H]; null = not wanted
    std::int64_t y_batch_stride = 0;
    std::int64_t y_direction_stride = 0;
    std::int64_t y_time_stride = 0;

    void* ho = nullptr;  ///< [N,D,H]; null = not wanted
    void* co = nullptr;  ///< LSTM only; null = not wanted
    StateStrides first;  ///< of h0 and c0
    StateStrides last;   ///< of ho and co

    /// Where this is set, tasks stop after some tens of steps, and outputs are undefined; may be
    /// null.
    const std::atomic<bool>* cancelled = nullptr;
};

inline bool is_cancelled(const SequenceArgs& args) {
    return args.cancelled != nullptr && args.cancelled->load(std::memory_order_relaxed);
}

/// Throws ModelError where parts of the config contradict each other.
void check_sequence_config(const SequenceConfig& config);

/// Fills batch, time and every stride for dense batch-first tensors: X [N,T,I], Y [N,D,T,H],
/// states [N,D,H].
SequenceArgs dense_args(const SequenceConfig& config, std::int64_t batch, std::int64_t time);

}  // namespace rondo::cpu
