// The cells of recurrent ops and their activation functions: plain data that kernels may use too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

namespace rondo::ops {

/// Formulas (a: alpha, b: beta), after ONNX's operators of the same name.
enum class ActivationKind : std::uint8_t {
    affine,            ///< a x + b
    relu,              ///< max(x, 0)
    leaky_relu,        ///< x >= 0 ? x : a x
    thresholded_relu,  ///< x > a ? x : 0
    tanh,
    scaled_tanh,   ///< a tanh(b x)
    sigmoid,       ///< 1 / (1 + e^-x)
    hard_sigmoid,  ///< min(max(a x + b, 0), 1)
    elu,           ///< x >= 0 ? x : a (e^x - 1)
    softsign,      ///< x / (1 + |x|)
    softplus,      ///< ln(1 + e^x)
};

struct ActivationInfo {
    ActivationKind kind;
    std::string_view name;  ///< ONNX's name
    bool takes_alpha = false;
    bool takes_beta = false;
    float alpha = 0;  ///< the default of ONNX's operator; 0 if the function takes none
    float beta = 0;   ///< the same
};

/// In the order of ActivationKind, which says what each one computes.
inline constexpr ActivationInfo kActivations[] = {
    {ActivationKind::affine, "Affine", true, true, 1.0f, 0.0f},
    {ActivationKind::relu, "Relu"},
    {ActivationKind::leaky_relu, "LeakyRelu", true, false, 0.01f},
    {ActivationKind::thresholded_relu, "ThresholdedRelu", true, false, 1.0f},
    {ActivationKind::tanh, "Tanh"},
    {ActivationKind::scaled_tanh, "ScaledTanh", true, true, 1.0f, 1.0f},
    {ActivationKind::sigmoid, "Sigmoid"},
    {ActivationKind::hard_sigmoid, "HardSigmoid", true, true, 0.2f, 0.5f},
    {ActivationKind::elu, "Elu", true, false, 1.0f},
    {ActivationKind::softsign, "Softsign"},
    {ActivationKind::softplus, "Softplus"},
};

constexpr const ActivationInfo& info_of(ActivationKind kind) {
    return kActivations[static_cast<std::size_t>(kind)];
}
constexpr std::string_view to_string(ActivationKind kind) { return info_of(kind).name; }

/// A function with its parameters; those that it doesn't have are 0: equal functions compare equal.
struct ActivationFunction {
    ActivationKind kind = ActivationKind::tanh;
    float alpha = 0;
    float beta = 0;
    friend bool operator==(const ActivationFunction&, const ActivationFunction&) = default;
};

/// The function with the parameters that ONNX's operator has by default.
constexpr ActivationFunction default_activation(ActivationKind kind) {
    return {kind, info_of(kind).alpha, info_of(kind).beta};
}

enum class Direction : std::uint8_t { forward, reverse, bidirectional };

/// As IR and ONNX write them.
inline constexpr std::pair<std::string_view, Direction> kDirectionNames[] = {
    {"forward", Direction::forward},
    {"reverse", Direction::reverse},
    {"bidirectional", Direction::bidirectional},
};

constexpr std::string_view to_string(Direction direction) {
    return kDirectionNames[static_cast<std::size_t>(direction)].first;
}

/// The cells by their ops.
enum class CellType : std::uint8_t { lstm, gru, rnn };

/// The cells by what they compute: one op may be two of them.
enum class CellKind : std::uint8_t {
    lstm,                     ///< gates fico
    gru,                      ///< gates zrh, reset applied to H before its product
    gru_linear_before_reset,  ///< gates zrh, reset applied to the product; B: z, r, Wbh, Rbh
    rnn,
};

struct CellInfo {
    CellKind kind;
    CellType type;
    const char* name;
    int gates;   ///< of W and R, in units of H
    int biases;  ///< of B, in units of H
    int phases;  ///< of a step: a phase needs what all hidden units computed in the one before
    int functions;
    ActivationKind activations[3];  ///< so many functions, by default; ONNX's f, g, h
};

/// In the order of CellKind.
inline constexpr CellInfo kCells[] = {
    {CellKind::lstm,
     CellType::lstm,
     "lstm",
     4,
     4,
     1,
     3,
     {ActivationKind::sigmoid, ActivationKind::tanh, ActivationKind::tanh}},
    {CellKind::gru,
     CellType::gru,
     "gru",
     3,
     3,
     2,
     2,
     {ActivationKind::sigmoid, ActivationKind::tanh}},
    {CellKind::gru_linear_before_reset,
     CellType::gru,
     "gru_lbr",
     3,
     4,
     1,
     2,
     {ActivationKind::sigmoid, ActivationKind::tanh}},
    {CellKind::rnn, CellType::rnn, "rnn", 1, 1, 1, 1, {ActivationKind::tanh}},
};

constexpr const CellInfo& info_of(CellKind kind) { return kCells[static_cast<std::size_t>(kind)]; }

/// What all kinds of that type have in common: everything but biases and phases.
constexpr const CellInfo& info_of(CellType type) {
    for (const CellInfo& info : kCells) {
        if (info.type == type) return info;
    }
    return kCells[0];  // every type has a kind
}

/// "gru_lbr"; "?" for a number that is no kind.
constexpr const char* to_string(CellKind kind) {
    return static_cast<std::size_t>(kind) < std::size(kCells) ? info_of(kind).name : "?";
}

/// True if row i of a table describes kind i.
template <typename Row, std::size_t N>
constexpr bool in_order_of_kinds(const Row (&rows)[N]) {
    for (std::size_t i = 0; i < N; ++i) {
        if (static_cast<std::size_t>(rows[i].kind) != i) return false;
    }
    return true;
}
static_assert(in_order_of_kinds(kActivations));
static_assert(in_order_of_kinds(kCells));

}  // namespace rondo::ops
