// Outputs that lie in the memory of a constant, so that folding them copies nothing.
#pragma once

#include <vector>

#include "core/graph/node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::passes {

/// What a node that reshapes or cuts a constant makes of `inputs` (the values of all its inputs),
/// sharing the constant's memory. Empty for other nodes, and where parts don't lie in one piece.
std::vector<Tensor> views_of_constant(const Node& node, const std::vector<Tensor>& inputs);

}  // namespace rondo::passes
