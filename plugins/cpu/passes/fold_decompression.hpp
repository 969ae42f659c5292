// Replaces a Convert of a constant by the converted constant, but for what layers widen themselves.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Folds every Convert whose input is a constant, those marked "decompression" among them. W and R
/// of recurrent layers with constant weights keep reading f16 or bf16 through their Convert: the
/// kernels widen these in registers. What others compute from the widened constants alone, the sum
/// of a bias's halves say, is folded with them (passes::fold_constants). True where something
/// changed.
bool fold_decompression(Graph& graph);

}  // namespace rondo::cpu
