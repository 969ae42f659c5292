// Leaves out what sorts the rows of a batch by length, for layers that need no such order, and what
// sorts them back.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// PyTorch's packed sequences sort their rows: TopK of the lengths, Gathers by its indices, and
/// behind the layers Gathers by the inverse, a ScatterElementsUpdate of a Range. Where all nodes
/// between them compute each row by itself, they get the rows as they come.
/// Stays: what something else reads in the sorted order, and what mixes rows.
bool unsort_rows(Graph& graph);

}  // namespace rondo::passes
