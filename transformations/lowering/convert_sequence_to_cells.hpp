// Writes short sequences as cells, one a step.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A sequence of one direction that needs_lowering() and has one to three steps for certain becomes
/// so many cells, of `rondo1` where the sequence is. Lengths become Selects. Longer ones stay.
bool convert_sequence_to_cells(Graph& graph);

}  // namespace rondo::passes
