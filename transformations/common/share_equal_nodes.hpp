// Keeps the first of several equal nodes.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Two nodes are equal if their type, attributes and inputs are. Constant inputs are compared by
/// value up to 4 KiB, above that by address. Constants themselves are never merged; neither are
/// inputs, outputs, and nodes that use a variable.
bool share_equal_nodes(Graph& graph);

}  // namespace rondo::passes
