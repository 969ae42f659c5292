// Declares the evaluators of the source ops; the bodies live in one file an op or close family.
#pragma once

#include <span>

#include "core/graph/node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

// keep-sorted
void random_uniform(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void range(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void shape_of(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);

}  // namespace rondo::reference
