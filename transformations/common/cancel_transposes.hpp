// Pulls a transpose up to other transposes, through the ops between them, where fewer are left.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// The usual case: recurrent ops are batch-first here, but time-major in ONNX, so that stacked
/// layers meet as Y [N,1,T,H] -> Transpose -> Squeeze -> Transpose -> X [N,T,H], which becomes
/// Y -> Squeeze -> X. Passes through what move_axes() knows. Each change leaves fewer transposes in
/// the graph, and no element is computed twice or otherwise than before.
bool cancel_transposes(Graph& graph);

}  // namespace rondo::passes
