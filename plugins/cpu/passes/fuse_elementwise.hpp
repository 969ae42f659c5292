// Lets elementwise ops that read each other run as one loop.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Joins each elementwise op of f32, f64 or truth values with those that compute what it reads, and
/// so on, into a FusedElementwise: ops that only it reads, of the shape of its output. What is read
/// elsewhere too stays an op of its own. True where something changed.
bool fuse_elementwise(Graph& graph);

}  // namespace rondo::cpu
