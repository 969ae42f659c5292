// Writes the quantizing ops of `rondo1` as standard ops.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// DynamicQuantizeLinear of a tensor of known rank becomes reductions and elementwise ops.
/// MatMulInteger becomes one or two MatMuls of f32, whose sums of integers are exact: with K up to
/// 258, or up to 4112 in two parts of 4 bits of b. Others stay.
bool quantization_decomposition(Graph& graph);

}  // namespace rondo::passes
