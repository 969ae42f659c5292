// Computes before a loop what doesn't depend on its states.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// What the body of a Loop or TensorIterator makes of its inputs' parts alone is computed for all
/// steps at once, which reads weights once instead of in each step; what it makes of unchanging
/// inputs alone is computed once. The loop must run once for each part. A product of x and a state
/// side by side is cut in two, so its sums are added in another order. Returns true if the graph
/// changed.
bool hoist_from_loops(Graph& graph);

}  // namespace rondo::cpu
