// Nodes that compute the same from the same inputs become one.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// The first of them stays. Constants count as the same input where type, shape and bytes are equal
/// (over 4 KiB: where they lie in the same memory), but stay apart themselves. Inputs, outputs and
/// whatever reads or writes a variable are left alone.
bool share_equal_nodes(Graph& graph);

}  // namespace rondo::passes
