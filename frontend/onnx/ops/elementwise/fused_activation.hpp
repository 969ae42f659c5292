// The function that com.microsoft's fused operators apply to their results.
#pragma once

#include <string>
#include <vector>

#include "frontend/onnx/ops/common/composer.hpp"

namespace rondo::onnx {

struct FusedActivation {
    std::string name;  ///< "": none
    std::vector<float> parameters;
};

/// That of FusedConv: the attributes activation and activation_params.
FusedActivation listed_activation(NodeContext& context);
/// That of FusedGemm and the like: activation, activation_alpha, _beta and _gamma.
FusedActivation named_activation(NodeContext& context);

/// f(x), in the type of x. Throws UnsupportedError for another name, ModelError for another number
/// of parameters.
Output activated(Composer& by, const FusedActivation& activation, const Output& x);

}  // namespace rondo::onnx
