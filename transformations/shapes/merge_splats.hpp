// Makes one Broadcast of a splat (splats.hpp) and of the ops behind it that move its elements.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// What is cut from the zeros of all layers becomes zeros of its own: Slice, Transpose, views and
/// Concat of a Broadcast are left out. Stays: what takes more than one Broadcast of a computed
/// shape, or whose extents aren't certain.
bool merge_splats(Graph& graph);

}  // namespace rondo::passes
