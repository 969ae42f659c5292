// Declares the evaluators of the reduction ops; the bodies live in one file an op or close family.
#pragma once

#include <span>

#include "core/graph/node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

// keep-sorted
void cum_sum(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void log_softmax(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void mvn(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void reduce(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void softmax(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void top_k(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);

}  // namespace rondo::reference
