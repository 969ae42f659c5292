// Keeps inputs and outputs of a model apart, and its outputs.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// An output that is an unchanged input, or the same tensor as an output before it, gets a Convert
/// to its own type before it, because OpenVINO knows their common tensor by the last one's names
/// alone. An output without names of its own stays.
bool keep_names_of_inputs(Graph& graph);

}  // namespace rondo::passes
