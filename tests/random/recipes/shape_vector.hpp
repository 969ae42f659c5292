// Vectors of extents that random models compute from shapes, in one of many forms.
#pragma once

#include "tests/random/model_maker.hpp"

namespace rondo::test {

/// An i64 vector of these extents: taken from shapes of values and of their transposes, reversed,
/// permuted, rotated, cut out of longer vectors, put together, converted, and computed. No recipe
/// picks it, nor what it is computed from. Each extent is a number, or a product of numbers and of
/// extents that values of the model have.
Value spelled_vector(ModelMaker& maker, const Extents& wanted);

/// A number, N, T or, at times, a product of them.
Extent random_extent(ModelMaker& maker);

/// Whether a value of this shape has few elements in every run.
bool is_small(const Extents& shape);

}  // namespace rondo::test
