// Declares the evaluators of the window ops; the bodies live in one file an op or close family.
#pragma once

#include <span>

#include "core/graph/node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

// keep-sorted
void avg_pool(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void col2im(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void convolution(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void convolution_backprop_data(const Node& node, std::span<const Tensor> inputs,
                               std::span<Tensor> outputs);
void deformable_convolution(const Node& node, std::span<const Tensor> inputs,
                            std::span<Tensor> outputs);
void grid_sample(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void interpolate(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void max_pool(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void roi_align(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);

}  // namespace rondo::reference
