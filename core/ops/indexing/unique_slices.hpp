// Which slices of a tensor differ: what the op Unique finds, for its shapes and for its kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rondo/tensor.hpp"

namespace rondo::ops {

/// The slices of [outer, count, inner] along the middle axis; without an axis each element is one.
struct SliceSizes {
    std::size_t outer = 1;
    std::size_t count = 1;
    std::size_t inner = 1;
};
SliceSizes slice_sizes(const Shape& shape, std::optional<std::size_t> axis);

struct UniqueSlices {
    std::vector<std::int64_t> first;    ///< for each that differs: where it stands first
    std::vector<std::int64_t> inverse;  ///< for each slice: the number of the one that it equals
    std::vector<std::int64_t> counts;   ///< for each that differs: how many slices equal it
};

/// `data` is contiguous. In ascending order of their elements, or of their first places. -0 equals
/// 0, NaN equals NaN and is greater than all numbers, every boolean byte but 0 is true.
UniqueSlices find_unique(const Tensor& data, const SliceSizes& sizes, bool sorted);

/// Copies the slices `first` of `data` to `to`.
void copy_slices(const Tensor& data, const SliceSizes& sizes,
                 const std::vector<std::int64_t>& first, void* to);

/// Writes integers as `type`, i64 or i32.
void write_integers(const std::vector<std::int64_t>& values, ElementType type, void* to);

}  // namespace rondo::ops
