// The passes of this folder. Each returns whether it has changed the graph.
#pragma once

#include "core/graph/graph.hpp"
#include "rondo/shape.hpp"
#include "transformations/batching/prove_rows.hpp"

namespace rondo::passes {

/// Frees an axis of extent 1 from ops that name it without need.
///
/// Changes that keep every bit as long as axes of extent 1 have it: a reduction of a whole
/// tensor to a scalar, which only meets tensors of the same rank, keeps its axes and leaves out
/// those of extent 1; scatter_to_concat(). Other nodes stay.
bool free_rows(Graph& graph);

/// Opens the batch of a model, or gives it an extent.
///
/// Gives the row axis of each input and variable the extent `batch`, which may be open, and
/// changes what fixed the number of rows: patterns of Reshape and Broadcast, states and
/// constants of one row, reductions over the rows of one. A row of a batch gives the bits that
/// it gives alone, and a batch of 1 what the graph gave before, except where a device can then
/// fuse more ops and rounds in another order. Returns whether the graph has changed. Throws
/// ModelError for a batch of 0 and UnsupportedError that names the op that is in the way, and
/// then changes nothing.
bool set_batch(Graph& graph, const Dimension& batch, const RowAxesHint& hint);

}  // namespace rondo::passes
