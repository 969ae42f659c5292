// New shapes of a graph's inputs.
#pragma once

#include <vector>

#include "core/graph/graph.hpp"

namespace rondo {

/// Gives each parameter its shape and infers all others again. If an extent that was known
/// changes, and reading the model made use of it, the model is read again. Throws UnsupportedError
/// if known extents are part of the graph; on an error nothing changes.
void reshape(Graph& graph, const std::vector<PartialShape>& shapes);

/// Whether known extents of inputs are part of the graph because it was read so. A file of it has
/// to say so.
bool has_read_extents(const Graph& graph);

}  // namespace rondo
