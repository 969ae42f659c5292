// Computes what depends on constants alone, and shapes that are known, when the model is compiled.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Not folded are: recurrent ops (their cost has no bound, and the device has its own rounding),
/// results over 64 KiB that are also over 4 times as large as the inputs (the broadcast of a
/// scalar, say; an input read twice counts once), and Converts marked "decompression", so that f16
/// weights stay f16.
/// The constants of the graph and of its bodies, which are folded as well, together grow to at most
/// 4 times their bytes before the first run, or to 16 MiB: a chain of Concat(t, t) doubles with
/// each node. The graph keeps this limit for later runs. Constants that are removed don't count.
/// Throws ModelError if constants have values that their reader forbids.
bool fold_constants(Graph& graph);

}  // namespace rondo::passes
