// Recognises normalisations that are written out.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// (x - mean) / sqrt(variance + eps), with means along constant last axes, becomes one MVN of f32
/// or f64, however the square and the root are written; eps may stand behind the root. Sums are
/// added in another order. Returns true if the graph changed.
bool fuse_normalisation(Graph& graph);

}  // namespace rondo::cpu
