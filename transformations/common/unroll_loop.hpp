// Replaces loops that run once, or never.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A Loop or TensorIterator that has exactly one iteration becomes the nodes of its body; one that
/// has none becomes its inputs, and constants without elements where it joins parts. It stays where
/// an input of the model would become an output, where its one part is not the whole input, or
/// where no iteration joins parts of an open extent.
bool unroll_loop(Graph& graph);

}  // namespace rondo::passes
