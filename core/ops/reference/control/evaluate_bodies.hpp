// Evaluates graphs node by node, and ops that run graphs of their own: If, Loop and TensorIterator.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/node.hpp"
#include "core/support/function_ref.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

/// The elements [first, first + size) of an axis.
Tensor take_part(const Tensor& whole, std::size_t axis, std::size_t first, std::size_t size);

/// The parts one after the other along an axis, the last one first if `reversed`. There is at
/// least one, and all have the same type and shape.
Tensor join_parts(std::span<const Tensor> parts, std::size_t axis, bool reversed);

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

/// Runs the body of that number on its parameters' values and returns its results.
using RunBody = FunctionRef<std::vector<Tensor>(std::size_t, std::span<const Tensor>)>;

/// The outputs of a node that has bodies. Shapes are those that the run finds; an output may share
/// memory with an input. Throws ModelError for a condition or trip count that isn't one element,
/// for slices that don't fit the number of iterations, and for an output that no iteration made.
std::vector<Tensor> evaluate_bodies(const Node& node, std::span<const Tensor> inputs,
                                    RunBody run_body);

}  // namespace rondo::reference
