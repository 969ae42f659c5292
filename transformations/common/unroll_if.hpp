// Replaces choices that are settled.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// An If whose condition is a constant becomes the nodes of that branch. It stays where an input of
/// the model would become an output.
bool unroll_if(Graph& graph);

}  // namespace rondo::passes
