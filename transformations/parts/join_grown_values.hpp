// Lets loops join the parts that their bodies append to a tensor.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Exporters write `y = torch.cat([y, part])` as a value that goes round, of which each iteration
/// copies all that is there. Where it is empty along that axis at first, and each iteration joins a
/// part of one known extent to its end or to its front, an output of the loop joins the parts. A
/// Reshape behind it has the first value's other extents, unless they are known: without an
/// iteration nothing else decides them, and parts of others are refused.
/// Stays: a value that the body reads for something else, one of several open extents besides the
/// axis, and a loop that never runs.
bool join_grown_values(Graph& graph);

}  // namespace rondo::passes
