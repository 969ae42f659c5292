// Runs a graph on the reference evaluators, node by node.
#pragma once

#include <vector>

#include "core/graph/graph.hpp"
#include "rondo/tensor.hpp"

namespace rondo::test {

/// `inputs` in the order of the graph's parameters; returns a tensor a result.
/// Throws ModelError if the number of inputs differs from the number of parameters.
std::vector<Tensor> evaluate_graph(const Graph& graph, const std::vector<Tensor>& inputs);

}  // namespace rondo::test
