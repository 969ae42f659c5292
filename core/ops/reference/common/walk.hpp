// Visits every index of a shape, with the places of two tensors that are read or written there.
#pragma once

#include <cstddef>
#include <vector>

#include "core/support/function_ref.hpp"
#include "rondo/shape.hpp"

namespace rondo::reference {

/// Elements between neighbours along each axis of the shape that is walked.
using ElementStrides = std::vector<std::size_t>;

/// Row-major strides of `shape` as seen from `walked`, whose last axes are those of `shape`:
/// 0 along axes where `shape` has extent 1 or no axis, so that the element is met again.
ElementStrides broadcast_strides(const Shape& shape, const Shape& walked);

/// Calls `visit` with both offsets for every index of `shape`, in row-major order.
void walk(const Shape& shape, const ElementStrides& a, const ElementStrides& b,
          FunctionRef<void(std::size_t, std::size_t)> visit);

}  // namespace rondo::reference
