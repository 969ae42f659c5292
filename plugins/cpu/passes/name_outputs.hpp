// Gives the model's outputs names of their own.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Names each Result that has no tensor name after what it reads, or, where that has no name,
/// after its producer: later passes may join either with other nodes. True where something changed.
bool name_outputs(Graph& graph);

}  // namespace rondo::cpu
