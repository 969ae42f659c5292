// Leaves out initial states that are zeros and lengths that are all T.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// The kernels start from zeros and take all steps by themselves (implied_input.hpp), so that
/// nothing has to compute a shape, fill a tensor or compare lengths. Only where zeros, their
/// extents and the lengths are certain for every shape; constants cost nothing and stay.
/// A plain sequence with constant weights becomes an OrderedSequence for that.
bool imply_inputs(Graph& graph);

}  // namespace rondo::cpu
