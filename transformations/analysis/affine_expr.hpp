// Integers of a loop as a sum of its input's extent, the number of the iteration, and a constant.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/graph/node.hpp"

namespace rondo::passes {

/// extent * T + counter * i + constant: T elements along an axis, in iteration i.
struct AffineExpr {
    std::int64_t extent = 0;
    std::int64_t counter = 0;
    std::int64_t constant = 0;
};

/// What the leaves of such a sum are.
struct AffineLeaves {
    /// How much more than the number of the iteration a value is, if it is that.
    std::function<std::optional<std::int64_t>(const Output& value)> counter;
    /// Whether a value is the extent.
    std::function<bool(const Output& value)> is_extent;
    /// What a value in the body is around the loop, or empty.
    std::function<Output(const Output& value)> outside;
};

/// Whether a node is a Convert to a type that holds any extent in use.
bool keeps_extents(const Node& node);

/// What IntegerReader makes of the value, if it is such a sum.
std::optional<AffineExpr> affine_expr(const Output& value, const AffineLeaves& leaves);

/// Whether both are the same number for every T that `extent` can be.
bool are_equal(const AffineExpr& a, const AffineExpr& b, const Dimension& extent);

}  // namespace rondo::passes
