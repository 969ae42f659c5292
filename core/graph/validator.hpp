// Checks what must hold between passes; a failure is the last pass's bug.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo {

/// Throws InternalError naming the node where: ports and consumers disagree, a name is empty or
/// used twice in one graph, a Parameter isn't listed, or inferring again gives another type or
/// shape. Bodies of nodes are checked too.
void check_graph(const Graph& graph);

}  // namespace rondo
