// Recognises numbers that are computed from shapes.
#pragma once

#include <cstddef>

#include "core/graph/node.hpp"

namespace rondo::passes {

/// True if the single element of `value`, of any type, is certainly the extent of that axis of
/// `tensor`, whatever the shapes are: a constant, or read from the shape of a tensor with the same
/// extent.
bool is_extent(const Output& value, const Output& tensor, std::size_t axis);

}  // namespace rondo::passes
