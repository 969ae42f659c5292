// Keeps inputs and outputs of a model apart.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// An output that is an unchanged input gets a Convert to its own type between them, because
/// OpenVINO knows their common tensor by the output's names alone. An output without names of its
/// own stays.
bool keep_names_of_inputs(Graph& graph);

}  // namespace rondo::passes
