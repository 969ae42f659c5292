// Replaces a Convert of a constant by the converted constant, so that nodes see f32 weights.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Folds every Convert whose input is a constant, those marked "decompression" among them. True
/// where something changed.
bool fold_decompression(Graph& graph);

}  // namespace rondo::cpu
