// Declares the evaluators of the indexing ops; the bodies live in one file an op or close family.
#pragma once

#include <span>

#include "core/graph/node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

// keep-sorted
void gather_elements(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void gather_nd(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void non_max_suppression(const Node& node, std::span<const Tensor> inputs,
                         std::span<Tensor> outputs);
void non_zero(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void scatter_elements(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void scatter_nd(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void unique(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);

}  // namespace rondo::reference
