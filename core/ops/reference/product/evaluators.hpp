// Declares the evaluators of the product ops; the bodies live in one file an op or close family.
#pragma once

#include <span>

#include "core/graph/node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

// keep-sorted
void det(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void matmul(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void matmul_integer(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);

}  // namespace rondo::reference
