// Constant matrices of f32 that stay integers with scales and zero points in memory.
#pragma once

#include <cstdint>
#include <optional>

#include "rondo/shape.hpp"

namespace rondo::ops {

/// What zero points and scales must broadcast to, and how many terms of K share them.
struct CompressedGroups {
    Shape numbers;
    std::int64_t size = 0;
};

/// The matrix is the right side of a product: [K,N], or [N,K] if it is transposed. The integers
/// have that shape, or an axis more: K in blocks and what each holds. Nothing for others.
std::optional<CompressedGroups> compressed_groups(const Shape& integers, const Shape& matrix,
                                                  bool transposed);

/// Whether the matrix has that form, has scales that broadcast so, and is large enough that it
/// pays.
bool stays_compressed(const Shape& integers, const Shape& scales, const Shape& matrix,
                      bool transposed);

/// Whether `from` broadcasts to `to`, which stays as it is.
bool broadcasts_to(const Shape& from, const Shape& to);

}  // namespace rondo::ops
