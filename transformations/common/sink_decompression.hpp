// Moves the widening of 16-bit constants behind the ops that only move their elements.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Convert -> Transpose becomes Transpose -> Convert where the Convert is marked "decompression",
/// reads a constant, and all other inputs (axes, lengths, indices) are constants too;
/// fold_constants then computes the narrow side. The same holds for Split, VariadicSplit, Reshape,
/// Squeeze, Unsqueeze, Slice, StridedSlice, Gather, and a Concat all of whose inputs are widened
/// from one type to one other. Every bit stays: these ops read no value. A Convert with other
/// readers stays for those.
bool sink_decompression(Graph& graph);

}  // namespace rondo::passes
