// Part of a tensor's memory as a tensor of its own.
#pragma once

#include <cstddef>

#include "rondo/tensor.hpp"

namespace rondo::reference {

/// Borrows the memory of `tensor` from byte `offset` on under another shape and other strides (in
/// bytes, an axis each; 0 repeats, below 0 goes back). All of it must lie inside the tensor.
Tensor view(const Tensor& tensor, std::ptrdiff_t offset, const Shape& shape,
            const Strides& strides);

}  // namespace rondo::reference
