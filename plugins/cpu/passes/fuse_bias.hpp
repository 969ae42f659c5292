// Starts products from the bias that is added to them.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Joins a MatMul of f32 with a constant matrix on its right, and the Add of a constant row behind
/// it, into a FusedMatMul. Nothing else reads the product, and its left side is not transposed.
/// True where something changed.
bool fuse_bias(Graph& graph);

}  // namespace rondo::cpu
