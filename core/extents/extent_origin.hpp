// The origin of an extent: the first tensor in the graph that always has the same one.
#pragma once

#include <cstddef>

#include "core/extents/extent_sum.hpp"
#include "core/extents/integers.hpp"
#include "core/graph/node.hpp"

namespace rondo {

struct ExtentOrigin {
    Output source;
    std::size_t axis = 0;
    friend bool operator==(const ExtentOrigin&, const ExtentOrigin&) = default;
};

/// Follows the extent of `axis` up through what the ops say of it (Node::extent_sources()), and
/// through shapes computed from other shapes, as far as it is certain to stay the same; the shape's
/// rank must be known.
ExtentOrigin origin_of_extent(const Output& output, std::size_t axis);

/// Whether two extents are the same for certain.
bool same_extent(const Output& a, std::size_t axis_of_a, const Output& b, std::size_t axis_of_b);

/// Whether an element is that extent for certain.
bool is_extent(const ShapeElement& element, const Output& tensor, std::size_t axis);

/// Whether the single element of `value` is that extent for certain: a constant, or computed from
/// the shape of a tensor that has the same extent.
bool is_extent(const Output& value, const Output& tensor, std::size_t axis);

/// The extent of a tensor whose rank is known, by its origin: a number where it is known.
ExtentSum extent_of(const Output& tensor, std::size_t axis);

/// The sum with each extent by its origin, so that equal numbers are equal sums.
ExtentSum with_origins(const ExtentSum& sum);

}  // namespace rondo
