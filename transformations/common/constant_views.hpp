// Outputs that share the memory of a constant, so that folding them copies nothing.
#pragma once

#include <vector>

#include "core/graph/node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::passes {

/// The outputs of a node that reshapes or slices a constant, for `inputs` (the values of all its
/// inputs), sharing the constant's memory. Empty for other nodes, and for non-contiguous parts.
std::vector<Tensor> views_of_constant(const Node& node, const std::vector<Tensor>& inputs);

}  // namespace rondo::passes
