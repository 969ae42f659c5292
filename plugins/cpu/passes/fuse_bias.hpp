// Fuses products with the bias that is added to them.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Fuses a MatMul of f32 with a constant matrix on its right, and the Add of a constant row behind
/// it, into a FusedMatMul. No other node may read the product, and its left side isn't transposed.
/// Returns true if the graph changed.
bool fuse_bias(Graph& graph);

}  // namespace rondo::cpu
