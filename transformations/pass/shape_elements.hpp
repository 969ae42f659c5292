// The elements of vectors that are computed from shapes: numbers, and extents of tensors.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "transformations/pass/shape_product.hpp"

namespace rondo::passes {

/// The extent of a tensor whose rank is known: a number where it is known.
ShapeElement extent_element(const Output& tensor, std::size_t axis);

/// Element `index` in row-major order of a tensor of integers, or of floats that hold extents.
/// Follows it up through ShapeOf, Concat, Gather, Slice, Split, Broadcast, views and Converts, and
/// through arithmetic, comparisons and Selects whose result is certain; nothing where another op
/// computes it.
std::optional<ShapeElement> shape_element(const Output& value, std::size_t index);

/// Likewise, where it may also be a product of extents.
std::optional<ShapeProduct> shape_product(const Output& value, std::size_t index);

/// All elements of a vector of known length, at most 64 of them; nothing where one isn't known.
std::optional<std::vector<ShapeElement>> shape_elements(const Output& vector);

}  // namespace rondo::passes
