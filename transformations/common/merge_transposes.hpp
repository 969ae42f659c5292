// Merges two transposes in a row; one that moves only axes of extent 1 becomes a reshape.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Where several nodes read the first transpose, it stays for the others. Orders must be constants.
bool merge_transposes(Graph& graph);

}  // namespace rondo::passes
