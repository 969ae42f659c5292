// The passes of this folder. Each returns whether it has changed the graph.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Makes one Broadcast of a splat (splats.hpp) and of the ops behind it that move its elements.
///
/// What is cut from the zeros of all layers becomes zeros of its own: Slice, Transpose, views
/// and Concat of a Broadcast are left out. Stays: what takes more than one Broadcast of a
/// computed shape, or whose extents aren't certain.
bool merge_splats(Graph& graph);

/// Shapes that are computed from other shapes: what is known of them becomes constant.
///
/// A vector whose elements are all numbers becomes a constant, even if it is cut from a shape
/// of open extents or computed from one (shape_elements.hpp says through which ops). A Reshape
/// whose pattern consists of numbers, extents of its data and a product of them gets a constant
/// pattern of numbers, 0 and -1, where that means the same for every shape. A Broadcast reads
/// its target's extents straight from the tensors that they come from. Stays: a pattern that
/// the Reshape might refuse, and extents that other ops compute.
bool settle_shapes(Graph& graph);

}  // namespace rondo::passes
