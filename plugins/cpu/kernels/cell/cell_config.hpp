// What a recurrent cell computes: everything that its generated code depends on.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/machine/precision.hpp"
#include "plugins/cpu/kernels/math/activation.hpp"

namespace rondo::cpu {

enum class CellKind {
    lstm,                     ///< gates fico
    gru,                      ///< gates zrh, reset applied to H before its product
    gru_linear_before_reset,  ///< gates zrh, reset applied to the product; B: [4H] = z, r, Wbh, Rbh
    rnn,
};

const char* name_of(CellKind kind);

/// Gates in W and R: 4, 3, 3, 1.
int gates_of(CellKind kind);

/// Biases in B: 4, 3, 4, 1.
int biases_of(CellKind kind);

/// LSTM: f, i, o = f(.), c~ = g(.), C' = f C + i c~, H' = o h(C').
/// GRU:  z, r = f(.), h~ = g(.), H' = (1 - z) h~ + z H.   RNN: H' = f(.).
struct CellConfig {
    CellKind kind = CellKind::lstm;
    std::int64_t input_size = 0;
    std::int64_t hidden_size = 0;
    Activation f = {ActivationKind::sigmoid};
    Activation g = {ActivationKind::tanh};
    Activation h = {ActivationKind::tanh};
    float clip = 0.0f;          ///< bounds each pre-activation to [-clip, clip]; 0 = no bound
    bool peephole = false;      ///< LSTM only; P: [3H], order fio
    bool input_forget = false;  ///< LSTM only; f = 1 - i
    /// How R is stored. f16 and bf16 are widened in registers to compute in f32; f64 computes in
    /// double.
    ElementType weights = ElementType::f32;

    bool operator==(const CellConfig&) const = default;
};

/// The defaults of the ONNX operator: LSTM sigmoid, tanh, tanh; GRU sigmoid, tanh; RNN tanh.
CellConfig default_cell(CellKind kind, std::int64_t input_size, std::int64_t hidden_size);

/// What stands in kernel names for weights of this type: "f32", "f16w", "bf16w" or "f64".
const char* weights_suffix(ElementType type);

/// Throws ModelError unless H is positive, I is not negative, clip is not negative or NaN, the
/// LSTM-only flags are used on LSTM alone, and the weights have a type that kernels take.
void check_cell(const CellConfig& config);

}  // namespace rondo::cpu
