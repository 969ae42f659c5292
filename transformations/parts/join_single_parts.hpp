// Replaces a Concat of all the elements along one axis of a tensor by that tensor in another order.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Concat(x[0], x[1], ..), where the parts are all of x along an axis and without it, becomes a
/// Transpose that puts this axis in front of the joined one, and a Reshape that merges both. The
/// last states of both directions side by side are thus a view of Ho [N,2,H]. Parts that have an
/// axis of extent 1 where they are joined become the Transpose alone.
/// Stays: parts in another order or of an open extent, and an output with two open extents that
/// aren't in front of the joined axis.
bool join_single_parts(Graph& graph);

}  // namespace rondo::passes
