// Turns the ops that the CPU's passes fused back into the original ops.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Replaces each FusedOp by its parts, under their names, StoredWeights by the Convert and
/// ScaledWeights by the product.
/// Returns true if the graph changed.
bool expand_fused(Graph& graph);

}  // namespace rondo::cpu
