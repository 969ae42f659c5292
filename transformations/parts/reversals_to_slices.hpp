// Writes what turns an axis round as a Slice.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A ReverseSequence of whole rows, or a Gather of all elements from the last one to the first,
/// becomes a Slice with a step of -1: the lengths behind it fall out. Stays: a Gather of a ShapeOf,
/// the form in which make_shape() reads extents in any order.
bool reversals_to_slices(Graph& graph);

}  // namespace rondo::passes
