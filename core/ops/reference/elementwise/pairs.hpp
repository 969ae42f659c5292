// Visits the elements of two tensors that meet when both are broadcast to one shape.
#pragma once

#include <span>

#include "core/ops/reference/common/walk.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

/// Calls `visit(i, at_a, at_b)` for each element i of `shape`, in row-major order, with the places
/// of the elements of inputs 0 and 1 that belong to it.
template <typename Visit>
void for_each_pair(std::span<const Tensor> inputs, const Shape& shape, Visit&& visit) {
    std::size_t i = 0;
    walk(shape, broadcast_strides(inputs[0].shape(), shape),
         broadcast_strides(inputs[1].shape(), shape),
         [&](std::size_t at_a, std::size_t at_b) { visit(i++, at_a, at_b); });
}

}  // namespace rondo::reference
