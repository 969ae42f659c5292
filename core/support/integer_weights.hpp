// What passes and kernels have in common on weights of integers.
#pragma once

#include <cstdint>

namespace rondo {

/// The greatest magnitude of a weight of 16 bits: both of its bytes, the lower one signed too, then
/// fit in signed bytes.
inline constexpr int kMostOfI16Weights = 127 * 256 + 127;

/// The longest row that is rounded for a product: any sum of products of integers then fits in 32
/// bits.
inline constexpr std::int64_t kMaxQuantized = 1 << 14;

}  // namespace rondo
