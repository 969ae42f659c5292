// Turns the ops that the CPU's passes fused back into those that they were made of.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Replaces each FusedOp by its parts, under the names that they had, and StoredWeights by the
/// Convert. True where something changed.
bool expand_fused(Graph& graph);

}  // namespace rondo::cpu
