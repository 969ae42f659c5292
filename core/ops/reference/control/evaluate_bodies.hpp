// Evaluates ops that run graphs of their own: If, Loop and TensorIterator.
#pragma once

#include <span>
#include <vector>

#include "core/graph/node.hpp"
#include "core/support/function_ref.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

/// Runs the body of that number on its parameters' values and returns its results.
using RunBody = FunctionRef<std::vector<Tensor>(std::size_t, std::span<const Tensor>)>;

/// The outputs of a node that has bodies. Shapes are those that the run finds; an output may share
/// memory with an input. Throws ModelError for a condition or trip count that isn't one element,
/// for slices that don't fit the number of iterations, and for an output that no iteration made.
std::vector<Tensor> evaluate_bodies(const Node& node, std::span<const Tensor> inputs,
                                    RunBody run_body);

}  // namespace rondo::reference
