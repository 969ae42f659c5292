// Fuses elementwise ops that read each other into one loop.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Fuses each elementwise op of f32, f64 or truth values with those that compute its inputs, and so
/// on, into a FusedElementwise: ops that only it reads, with the shape of its output. An op with
/// other readers stays separate. Returns true if the graph changed.
bool fuse_elementwise(Graph& graph);

}  // namespace rondo::cpu
