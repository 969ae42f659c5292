// Evaluates a graph node by node, as often as it is asked to.
#pragma once

#include <span>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/support/function_ref.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

/// Evaluates any node on its inputs.
using EvaluateNode = FunctionRef<std::vector<Tensor>(const Node&, std::span<const Tensor>)>;

/// Both the graph and what `evaluate` refers to must outlive it.
class GraphEvaluation {
public:
    GraphEvaluation(const Graph& graph, EvaluateNode evaluate)
        : graph_(graph), nodes_(graph.ordered_nodes()), evaluate_(evaluate) {}

    /// A tensor a result, for a tensor a parameter. Results may share memory with inputs.
    std::vector<Tensor> run(std::span<const Tensor> inputs) const;

private:
    std::vector<Tensor> outputs_of(const Node& node, const std::vector<Tensor>& inputs) const;

    const Graph& graph_;
    std::vector<NodePtr> nodes_;
    EvaluateNode evaluate_;
};

}  // namespace rondo::reference
