// The infer context of an evaluator, which knows all elements of its inputs.
#pragma once

#include <span>

#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

/// The context of inferring `node` from these inputs; its errors name the node.
InferContext known_context(const Node& node, std::span<const Tensor> inputs);

}  // namespace rondo::reference
