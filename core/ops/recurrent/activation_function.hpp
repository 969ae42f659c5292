// The activation functions of recurrent ops, by their ONNX names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::ops {

/// Formulas (a: alpha, b: beta), after ONNX's operators of the same name:
/// affine a*x+b; relu max(0,x); leaky_relu x<0 ? a*x : x; thresholded_relu x>a ? x : 0; tanh;
/// scaled_tanh a*tanh(b*x); sigmoid 1/(1+exp(-x)); hard_sigmoid min(1,max(0,a*x+b));
/// elu x<0 ? a*(exp(x)-1) : x; softsign x/(1+|x|); softplus log(1+exp(x)).
enum class ActivationKind : std::uint8_t {
    affine, relu, leaky_relu, thresholded_relu, tanh, scaled_tanh, sigmoid, hard_sigmoid, elu,
    softsign, softplus
};

/// A function with its parameters; those that it doesn't have are 0.
struct ActivationFunction {
    ActivationKind kind = ActivationKind::tanh;
    float alpha = 0;
    float beta = 0;
    friend bool operator==(const ActivationFunction&, const ActivationFunction&) = default;
};

/// By name in any case of letters ("LeakyRelu", "leakyrelu"), or nothing.
std::optional<ActivationKind> activation_from_string(std::string_view name);
/// ONNX's spelling: "LeakyRelu".
std::string_view to_string(ActivationKind kind);
/// Whether the function reads alpha / beta.
bool takes_alpha(ActivationKind kind);
bool takes_beta(ActivationKind kind);
/// True for those that OpenVINO's own sequence ops can run: sigmoid, tanh, relu.
bool is_standard(ActivationKind kind);

/// Names with their alphas and betas, which the functions that have them take in order;
/// past a list's end they have the defaults of the ONNX operators (LeakyRelu 0.01, ThresholdedRelu
/// 1, Elu 1, HardSigmoid 0.2 / 0.5, Affine 1 / 0, ScaledTanh 1 / 1). `prefix`: the lists' name in
/// the user's format, before "_alpha" and "_beta". Throws ModelError for an unknown name (listing
/// the known ones), unused list entries or NaN.
std::vector<ActivationFunction> resolve_activations(const std::vector<std::string>& names,
                                                    const std::vector<float>& alpha,
                                                    const std::vector<float>& beta,
                                                    const std::string& prefix = "activations");

/// The value at x, computed in double.
double apply(const ActivationFunction& function, double x);

}  // namespace rondo::ops
