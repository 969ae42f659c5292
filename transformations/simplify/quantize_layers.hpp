// Stores the weights of recurrent layers as integers.
#pragma once

#include <vector>

#include "core/graph/graph.hpp"
#include "rondo/quantization.hpp"

namespace rondo::passes {

/// Throws ModelError where the options name a format or a layer that there isn't.
void check_quantization(const Graph& graph, const QuantizationOptions& options);

/// W and R that are constants of f32, or widened to it, become integers, Convert, Multiply, and the
/// layer is marked (kDynamicQuantization). Also in bodies. See Model::quantize().
std::vector<LayerQuantization> quantize_layers(Graph& graph, const QuantizationOptions& options);

}  // namespace rondo::passes
