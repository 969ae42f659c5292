// The function that com.microsoft's fused operators apply to their results.
#pragma once

#include <string>
#include <vector>

#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

struct FusedActivation {
    std::string name;  ///< "": none
    std::vector<float> parameters;
};

/// That of FusedConv: the attributes activation and activation_params.
FusedActivation listed_activation(NodeContext& by);
/// That of FusedGemm and the like: activation, activation_alpha, _beta and _gamma.
FusedActivation named_activation(NodeContext& by);

/// f(x), in the type of x. Throws UnsupportedError for another name, ModelError for another number
/// of parameters.
Output activated(NodeContext& by, const FusedActivation& activation, const Output& x);

}  // namespace rondo::onnx
