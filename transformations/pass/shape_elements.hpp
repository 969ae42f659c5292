// The elements of vectors that are computed from shapes: numbers, and extents of tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/node.hpp"

namespace rondo::passes {

/// A number, or else the extent of one axis of a tensor.
struct ShapeElement {
    std::optional<std::int64_t> number;
    Output tensor = {};
    std::size_t axis = 0;

    friend bool operator==(const ShapeElement&, const ShapeElement&) = default;
};

/// The extent of a tensor whose rank is known: a number where it is known.
ShapeElement extent_element(const Output& tensor, std::size_t axis);

/// Element `index` in row-major order of a tensor of integers, or of floats that hold extents.
/// Follows it up through ShapeOf, Concat, Gather, Slice, views and Converts; nothing where another
/// op computes it.
std::optional<ShapeElement> shape_element(const Output& value, std::size_t index);

/// All elements of a vector of known length, at most 64 of them; nothing where one isn't known.
std::optional<std::vector<ShapeElement>> shape_elements(const Output& vector);

}  // namespace rondo::passes
