// The eleven activation functions of ONNX's recurrent operators, as plain data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rondo::cpu {

/// Formulas use the names of the ONNX operators' text; a = alpha, b = beta.
enum class ActivationKind {
    affine,            ///< a x + b
    relu,              ///< max(x, 0)
    leaky_relu,        ///< x >= 0 ? x : a x
    thresholded_relu,  ///< x > a ? x : 0
    tanh,
    scaled_tanh,  ///< a tanh(b x)
    sigmoid,
    hard_sigmoid,  ///< min(max(a x + b, 0), 1)
    elu,           ///< x >= 0 ? x : a (e^x - 1)
    softsign,      ///< x / (1 + |x|)
    softplus,      ///< ln(1 + e^x)
};

/// A function and its parameters; alpha and beta are ignored by the kinds that take none.
struct Activation {
    ActivationKind kind = ActivationKind::tanh;
    float alpha = 0.0f;
    float beta = 0.0f;

    bool operator==(const Activation&) const = default;
};

/// All kinds, in the order of the enum.
const std::vector<ActivationKind>& all_activation_kinds();

/// The ONNX spelling: "Affine", "Relu", ...
const char* name_of(ActivationKind kind);

bool takes_alpha(ActivationKind kind);
bool takes_beta(ActivationKind kind);

/// `kind` with the defaults of the ONNX operator of that name (LeakyRelu 0.01, ThresholdedRelu 1,
/// Elu 1, HardSigmoid 0.2/0.5, Affine 1/0, ScaledTanh 1/1).
Activation default_activation(ActivationKind kind);

/// The function called `name` (ASCII case ignored) with its default parameters.
/// Throws ModelError naming `name` and the names there are.
Activation activation_by_name(std::string_view name);

/// For kernel names and messages: "Tanh", "LeakyRelu(alpha=0.01)".
std::string to_string(const Activation& activation);

}  // namespace rondo::cpu
