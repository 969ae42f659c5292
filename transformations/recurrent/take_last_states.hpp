// Reads the last step of a recurrent sequence from its last state instead of from Y.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// What a Slice, StridedSlice, Gather or Split cuts out of Y [N,D,T,H], also behind views and
/// Transposes, becomes a view of Ho [N,D,H] where it is one direction's last step: of a forward one
/// step T-1, of a reverse one step 0. Y is then not computed if nothing else reads it.
/// T may be open: for T = 0, where the cut would fail, the result is the state before the first
/// step. Stays: rows with lengths of their own, and a Slice that may hold no step at all.
bool take_last_states(Graph& graph);

}  // namespace rondo::passes
