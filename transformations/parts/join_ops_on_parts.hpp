// One op on a tensor in place of the same op on each of its elements along an axis.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// What a step of a written-out loop does to its input or to its result alone, it does to the parts
/// of a tensor: a linear layer, elementwise ops, rows of a table, a normalisation. Where all parts
/// get the same, the op takes the whole tensor, and its result is cut instead. The bits of each
/// part stay.
bool join_ops_on_parts(Graph& graph);

}  // namespace rondo::passes
