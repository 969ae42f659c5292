// Cuts tensors along an axis and joins them again.
#pragma once

#include <cstddef>
#include <span>

#include "rondo/tensor.hpp"

namespace rondo::reference {

/// The elements [first, first + size) of an axis.
Tensor take_part(const Tensor& whole, std::size_t axis, std::size_t first, std::size_t size);

/// The parts one after the other along an axis, the last one first where `reversed`. There is at
/// least one, and all have the same type and shape.
Tensor join_parts(std::span<const Tensor> parts, std::size_t axis, bool reversed);

}  // namespace rondo::reference
