// Reads extents from the first tensor that has them, or makes them constants.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Gather(ShapeOf(y), i) with constant indices: where all those extents are known it is a constant;
/// where they all come from one tensor x further up it reads ShapeOf(x). Thus nothing is computed
/// for its shape alone, and all layers of a model read the same extents.
bool simplify_extents(Graph& graph);

}  // namespace rondo::passes
