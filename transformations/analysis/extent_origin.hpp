// The origin of an extent: the first tensor in the graph that always has the same one.
#pragma once

#include <cstddef>

#include "core/graph/node.hpp"
#include "transformations/analysis/extent_sum.hpp"

namespace rondo::passes {

struct ExtentOrigin {
    Output source;
    std::size_t axis = 0;
    friend bool operator==(const ExtentOrigin&, const ExtentOrigin&) = default;
};

/// Follows the extent of `axis` up through views, through ops along whose axis the rows are
/// independent, through time steps and through shapes computed from other shapes, as far as it is
/// certain to stay the same; the shape's rank must be known.
ExtentOrigin origin_of_extent(const Output& output, std::size_t axis);

/// The extent of a tensor whose rank is known, by its origin: a number where it is known.
ExtentSum extent_of(const Output& tensor, std::size_t axis);

/// The sum with each extent by its origin, so that equal numbers are equal sums.
ExtentSum with_origins(const ExtentSum& sum);

}  // namespace rondo::passes
