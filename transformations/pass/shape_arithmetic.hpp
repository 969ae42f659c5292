// Arithmetic and comparisons of numbers and extents that hold for every shape.
#pragma once

#include <optional>

#include "core/ops/elementwise/functions.hpp"
#include "transformations/pass/shape_product.hpp"

namespace rondo::passes {

/// f(a, b), if that is again a number, an extent or a product of them; nothing for others, and
/// where numbers are so large that they might wrap.
std::optional<ShapeProduct> computed(ops::BinaryFunction function, const ShapeProduct& a,
                                     const ShapeProduct& b);

/// Whether a comparison holds, if it is the same for all extents that a and b may have.
std::optional<bool> compared(ops::CompareFunction function, const ShapeProduct& a,
                             const ShapeProduct& b);

}  // namespace rondo::passes
