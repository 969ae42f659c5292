// The elements of vectors that are computed from shapes: numbers, extents of tensors, and products
// of them; their arithmetic and comparisons, which hold for every shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/elementwise/functions.hpp"

namespace rondo::passes {

/// A number, or else the extent of one axis of a tensor.
struct ShapeElement {
    std::optional<std::int64_t> number;
    Output tensor = {};
    std::size_t axis = 0;

    friend bool operator==(const ShapeElement&, const ShapeElement&) = default;
};

/// A number times some extents, none of which is known.
struct ShapeProduct {
    std::int64_t number = 1;
    std::vector<ShapeElement> extents = {};

    bool is_number() const { return extents.empty(); }
    friend bool operator==(const ShapeProduct&, const ShapeProduct&) = default;
};

/// f(a, b), if that is again a number, an extent or a product of them; nothing for others, and
/// where numbers are so large that they might wrap.
std::optional<ShapeProduct> computed(ops::BinaryFunction function, const ShapeProduct& a,
                                     const ShapeProduct& b);

/// Whether a comparison holds, if it is the same for all extents that a and b may have.
std::optional<bool> compared(ops::CompareFunction function, const ShapeProduct& a,
                             const ShapeProduct& b);

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
