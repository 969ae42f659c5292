// Leaves out loops that only hand on the parts of their inputs.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// An output of a loop that joins the parts of an input as it took them is that input, its axes in
/// another order; and what the last iteration hands on is the last part.
bool loops_to_parts(Graph& graph);

}  // namespace rondo::passes
