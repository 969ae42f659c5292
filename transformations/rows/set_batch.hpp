// Opens the batch of a model, or gives it an extent.
#pragma once

#include "core/graph/graph.hpp"
#include "rondo/shape.hpp"
#include "transformations/rows/find_row_axes.hpp"

namespace rondo::passes {

/// Gives the row axis of each input and variable the extent `batch`, which may be open, and changes
/// what fixed the number of rows: patterns of Reshape and Broadcast, states and constants of one
/// row, reductions over the rows of one. A row of a batch gives the bits that it gives alone, and a
/// batch of 1 what the graph gave before, except where a device can then fuse more ops and rounds
/// in another order. Returns whether the graph has changed. Throws ModelError for a batch of 0 and
/// UnsupportedError that names the op that is in the way, and then changes nothing.
bool set_batch(Graph& graph, const Dimension& batch, const RowAxesHint& hint);

}  // namespace rondo::passes
