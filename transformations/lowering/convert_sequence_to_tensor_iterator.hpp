// Writes sequences as loops over a cell.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A sequence of one direction that needs_lowering() becomes a TensorIterator whose body is a cell,
/// of `rondo1` where the sequence is. Where rows may have lengths below T, the body keeps their
/// states behind their ends, and Y is 0 there. Nothing checks any more that lengths are at most T.
bool convert_sequence_to_tensor_iterator(Graph& graph);

}  // namespace rondo::passes
