// The rewrites that only the CPU device wants, in order.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Runs them in place; the graph is valid before and after. Nodes lose their names where they are
/// joined, the model's outputs keep theirs.
void run_cpu_passes(Graph& graph);

}  // namespace rondo::cpu
