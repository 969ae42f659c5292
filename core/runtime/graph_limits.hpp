// Holds a graph to the user's limits.
#pragma once

#include <cstddef>

#include "core/graph/graph.hpp"
#include "core/support/limits.hpp"

namespace rondo {

/// Throws UnsupportedError where the graph and its bodies have too many nodes, or too many bodies
/// are in each other; ModelError naming a constant that is too large.
void check_limits(const Graph& graph, const ModelLimits& limits);

/// From now on folding enlarges the constants of the graph and of its bodies no further, and their
/// loops run no more often.
void set_limits(Graph& graph, const ModelLimits& limits);

}  // namespace rondo
