// Nodes that compute the same from the same inputs, and equal small constants, become one.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// The first of them stays. Inputs, outputs and whatever reads or writes a variable are left alone;
/// so are constants over 4 KiB, unless they lie in the same memory.
bool share_equal_nodes(Graph& graph);

}  // namespace rondo::passes
