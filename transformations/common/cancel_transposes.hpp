// Moves a transpose up to other transposes, through the ops between them, if that saves any.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// The usual case: recurrent ops are batch-first here, but time-major in ONNX, so that stacked
/// layers are connected as Y [N,1,T,H] -> Transpose -> Squeeze -> Transpose -> X [N,T,H], which
/// becomes Y -> Squeeze -> X. It passes through the ops that move_axes() knows. Each change leaves
/// fewer transposes in the graph, and computes no element twice or differently.
bool cancel_transposes(Graph& graph);

}  // namespace rondo::passes
