// Replaces loops that run once, or never.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A Loop or TensorIterator that has exactly one iteration becomes the nodes of its body; one that
/// has none becomes its inputs, unless it joins parts. It stays where an input of the model would
/// become an output, or where its one part is not the whole input.
bool unroll_loop(Graph& graph);

}  // namespace rondo::passes
