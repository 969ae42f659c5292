// What a recurrent cell computes: everything that its generated code depends on.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/math/activation.hpp"
#include "plugins/cpu/kernels/product/weight_format.hpp"

namespace rondo::cpu {

using ops::CellKind;

/// Phases of a step.
constexpr int phases_of(CellKind kind) { return ops::info_of(kind).phases; }

/// Where the sum comes from that a GRU's r is a function of. Unless it is a sum of its own, W, R
/// and B have no rows for it. The minimal gated unit has z = 1 - r.
enum class ResetSum : std::uint8_t { own, of_z, negative_of_z };

/// LSTM: f, i, o = f(.), c~ = g(.), C' = f C + i c~, H' = o h(C').
/// GRU:  z, r = f(.), h~ = g(.), H' = (1 - z) h~ + z H.   RNN: H' = f(.).
struct CellConfig {
    CellKind kind = CellKind::lstm;
    std::int64_t input_size = 0;
    std::int64_t hidden_size = 0;
    Activation f = {ActivationKind::sigmoid};
    Activation g = {ActivationKind::tanh};
    Activation h = {ActivationKind::tanh};
    float clip = 0.0f;               ///< bounds each pre-activation to [-clip, clip]; 0 = no bound
    bool peephole = false;           ///< LSTM only; P: [3H], order fio
    bool input_forget = false;       ///< LSTM only; f = 1 - i
    ResetSum reset = ResetSum::own;  ///< another one for CellKind::gru only
    /// How R is stored, and W where these are integers. f64 computes in double, all others in f32.
    WeightFormat weights;

    bool operator==(const CellConfig&) const = default;
};

/// Gates in W and R.
constexpr int gates_of(const CellConfig& config) {
    return ops::info_of(config.kind).gates - (config.reset == ResetSum::own ? 0 : 1);
}

/// Biases in B.
constexpr int biases_of(const CellConfig& config) {
    return ops::info_of(config.kind).biases - (config.reset == ResetSum::own ? 0 : 1);
}

/// With the activation functions that the ONNX operator has by default.
CellConfig default_cell(CellKind kind, std::int64_t input_size, std::int64_t hidden_size);

/// Throws ModelError unless H is positive, I is not negative, clip is not negative or NaN, the
/// flags of one cell are used on that alone, the weights have a format that kernels take, and, for
/// integers, H is no more than kMaxQuantized.
void check_cell(const CellConfig& config);

}  // namespace rondo::cpu
