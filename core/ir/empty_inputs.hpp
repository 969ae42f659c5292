// Says in other ways what nodes say by an input without elements, which OpenVINO refuses or dies
// on.
#pragma once

#include <memory>

#include "core/graph/graph.hpp"

namespace rondo::ir {

/// A copy of the graph, or null where nothing needs to change, in it or in bodies:
/// - a Transpose whose order is empty gets the reversed order, if the rank is known;
/// - Unsqueeze, Tile, Broadcast, Slice, StridedSlice, Pad and Interpolate that change nothing,
/// since
///   their axes, repeats, target or starts are empty, become a Convert to the type of the data;
/// - a Gather of no index becomes a constant without elements, if its shape is known.
/// Names of nodes and tensors stay.
std::shared_ptr<Graph> without_empty_inputs(const Graph& graph);

}  // namespace rondo::ir
