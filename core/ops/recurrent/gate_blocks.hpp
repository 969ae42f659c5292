// Weights of recurrent layers as blocks, one a gate.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "rondo/tensor.hpp"

namespace rondo::ops {

/// Means a block of zeros.
inline constexpr std::size_t kZeroBlock = std::numeric_limits<std::size_t>::max();

/// Whether these are all blocks in their order.
bool keep_places(std::span<const std::size_t> order, std::size_t count);

/// Takes the blocks with these numbers, for each direction, of a dense tensor [D, count * H, ...],
/// whose axis 1 has `count` blocks. The same memory if all keep their places.
Tensor ordered_blocks(const Tensor& value, std::size_t count, std::span<const std::size_t> order);

/// [D,A,B] as [D,B,A].
Tensor transposed_matrices(Tensor matrices);

}  // namespace rondo::ops
