// Declares the evaluators of the movement ops; the bodies live in one file an op or close family.
#pragma once

#include <span>

#include "core/graph/node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

// keep-sorted
void bit_cast(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void broadcast(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void concat(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void depth_to_space(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void gather(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void pad(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void reshape(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void reverse_sequence(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void slice(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void space_to_depth(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void split(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void squeeze(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void strided_slice(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void tile(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void transpose(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void unsqueeze(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void variadic_split(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);

}  // namespace rondo::reference
