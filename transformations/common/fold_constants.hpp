// Computes what depends on constants alone, and shapes that are known, when the model is compiled.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Left as they are: recurrent ops (their cost has no bound, and the device has its own rounding),
/// results over 64 KiB that are also over 4 times as large as the inputs (the broadcast of a
/// scalar, say), and Converts marked "decompression", so that f16 weights stay f16.
/// Throws ModelError where constants hold what their reader forbids.
bool fold_constants(Graph& graph);

}  // namespace rondo::passes
