// Replaces a Convert of a constant by the converted constant, unless layers widen it themselves.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Folds every Convert whose input is a constant, also in bodies, those marked "decompression"
/// among them. W and R
/// of recurrent layers with constant weights keep reading f16 or bf16 through their Convert: the
/// kernels widen these in registers. What other nodes compute from the widened constants alone,
/// such as the sum of a bias's halves, is folded with them (passes::fold_constants). Returns true
/// if the graph changed.
bool fold_decompression(Graph& graph);

}  // namespace rondo::cpu
