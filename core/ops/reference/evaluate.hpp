// One slow, obvious evaluator an op: the truth for every test, and the constant folder.
#pragma once

#include <span>
#include <vector>

#include "core/graph/node.hpp"
#include "core/support/function_ref.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

/// Writes a node's outputs; they have the inferred types and shapes and are contiguous, as are the
/// inputs. Inputs and outputs never overlap. Throws ModelError for values that the op forbids.
using Evaluator = void (*)(const Node& node, std::span<const Tensor> inputs,
                           std::span<Tensor> outputs);

/// The op's evaluator, or null (Parameter, Result, Constant, ReadValue and Assign have none).
Evaluator find_evaluator(const OpType& type);

/// Infers the output shapes from the inputs themselves, makes the outputs and evaluates the node.
/// Ops with bodies are evaluated node by node. Throws UnsupportedError if the op, or one in its
/// bodies, has no evaluator.
std::vector<Tensor> evaluate(const Node& node, std::span<const Tensor> inputs);
/// The same; calls `before_each` before the node and before every evaluation of a node in a body.
/// What it throws ends the evaluation.
std::vector<Tensor> evaluate(const Node& node, std::span<const Tensor> inputs,
                             FunctionRef<void()> before_each);

/// The node itself, or one in its bodies, that evaluate() can't evaluate; null if it can.
const Node* find_unevaluable(const Node& node);

/// The outputs' types and shapes for these inputs, whose elements are all known.
std::vector<std::pair<ElementType, Shape>> infer_outputs(const Node& node,
                                                         std::span<const Tensor> inputs);

}  // namespace rondo::reference
