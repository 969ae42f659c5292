// Gives the model's outputs names of their own.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Names each Result that has no tensor name after its input, or, if that has no name, after its
/// producer: later passes may fuse either with other nodes. Returns true if the graph changed.
bool name_outputs(Graph& graph);

}  // namespace rondo::cpu
