// Declares the evaluators of the elementwise ops; the bodies live in one file a family.
#pragma once

#include <span>

#include "core/graph/node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

// keep-sorted
void binary(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void compare(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void convert(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void logical(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void select(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void unary(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);

}  // namespace rondo::reference
