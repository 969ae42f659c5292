// Finds activation functions by their ONNX names, and evaluates them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/recurrent/functions.hpp"

namespace rondo::ops {

/// By name in any case of letters ("LeakyRelu", "leakyrelu"), or nothing.
std::optional<ActivationKind> activation_from_string(std::string_view name);
/// True for those that OpenVINO's own sequence ops can run: sigmoid, tanh, relu.
bool is_standard(ActivationKind kind);

/// Names with their alphas and betas, which the functions that have them take in order;
/// past a list's end they have the defaults of the ONNX operators (LeakyRelu 0.01, ThresholdedRelu
/// 1, Elu 1, HardSigmoid 0.2 / 0.5, Affine 1 / 0, ScaledTanh 1 / 1). Entries that are left over say
/// nothing: exporters write some for sigmoid and tanh. `prefix`: the lists' name in the user's
/// format, before "_alpha" and "_beta". Throws ModelError for an unknown name (listing the known
/// ones), or where a function takes a NaN.
std::vector<ActivationFunction> resolve_activations(const std::vector<std::string>& names,
                                                    const std::vector<float>& alpha,
                                                    const std::vector<float>& beta,
                                                    const std::string& prefix = "activations");

/// Removes the entries that resolve_activations() leaves over, unless a name is unknown.
void drop_unused_parameters(const std::vector<std::string>& names, std::vector<float>& alpha,
                            std::vector<float>& beta);

/// The value at x, computed in double.
double apply(const ActivationFunction& function, double x);

}  // namespace rondo::ops
