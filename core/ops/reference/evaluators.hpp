// Declares every op's evaluator; the bodies live in one file an op or close family.
#pragma once

#include <span>

#include "core/graph/node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

// keep-sorted
void add(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void broadcast(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void concat(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void convert(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void convolution(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void divide(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void gather(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void matmul(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void multiply(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void power(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void recurrent(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void reduce_mean(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void relu(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void reshape(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void shape_of(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void sigmoid(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void slice(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void softmax(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void split(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void sqrt(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void squeeze(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void strided_slice(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void subtract(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void tanh(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void transpose(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void unsqueeze(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void variadic_split(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);

}  // namespace rondo::reference
