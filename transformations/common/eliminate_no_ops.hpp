// Removes nodes that return an input unchanged.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Transposes that move nothing, views and broadcasts to the same shape, conversions to the same
/// type, Concat of one input, splits into one part, slices of everything, and arithmetic that
/// changes no bit: x*1, x/1, x^1, x-0, x+(-0), and x+0 of integers (x+0 turns -0 into 0).
bool eliminate_no_ops(Graph& graph);

}  // namespace rondo::passes
