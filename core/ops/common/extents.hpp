// Arithmetic on extents that may be open, for the shape inference of ops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rondo/shape.hpp"

namespace rondo {
class InferContext;
}

namespace rondo::ops {

/// a * b for numbers >= 0; Dimension::kInfinity for itself and for all that doesn't fit.
std::int64_t saturating_multiply(std::int64_t a, std::int64_t b);

/// a + b. Throws through `context` if even the least sum doesn't fit in 63 bits.
Dimension add_extents(const InferContext& context, const Dimension& a, const Dimension& b);

/// What is left of `whole` without `taken` (>= 0); empty if it can't hold so many.
std::optional<Dimension> subtract_extent(const Dimension& whole, std::int64_t taken);

/// `whole` in `parts` (> 0) equal parts; empty if no extent of the interval divides evenly.
std::optional<Dimension> divide_extent(const Dimension& whole, std::int64_t parts);

/// The number of elements of those extents. Throws through `context` if even the least number
/// doesn't fit in 63 bits.
Dimension multiply_extents(const InferContext& context, const std::vector<Dimension>& extents);

/// The number of elements of an integer input that is a vector or a scalar, or nothing while not
/// known. Throws through `context` for other types and ranks, calling the input `what`, and
/// UnsupportedError for more than 1024 elements: each one belongs to an axis or an output.
std::optional<std::size_t> vector_length(const InferContext& context, std::size_t input,
                                         std::string_view what);

/// The number of elements of the integer vectors from input `first` on, if one of them is known;
/// `names` are those of all inputs. Throws through `context` if they differ.
std::optional<std::size_t> common_length(const InferContext& context, std::size_t first,
                                         std::span<const char* const> names);

/// The only element of an integer input, or nothing while not known. Throws through `context`,
/// calling the input `what`, if it holds another number of elements.
std::optional<std::int64_t> single_int(const InferContext& context, std::size_t input,
                                       std::string_view what);

/// `axes` normalised for `rank`. Throws through `context` if one is out of range or named twice.
std::vector<std::size_t> distinct_axes(const InferContext& context,
                                       const std::vector<std::int64_t>& axes, std::size_t rank);

/// Throws UnsupportedError through `context` unless `count` outputs (65536 at most) can be made.
void check_output_count(const InferContext& context, std::int64_t count);

/// Whether a tensor of that shape, broadcast together with one of shape `target`, never makes it
/// wider.
bool never_widens(const PartialShape& shape, const PartialShape& target);

}  // namespace rondo::ops
