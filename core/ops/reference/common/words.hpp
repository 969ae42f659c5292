// Integer tensors as 64-bit words, and back: sums, differences and products modulo 2^64 are right
// modulo any narrower width too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rondo/tensor.hpp"

namespace rondo::reference {

/// The elements of a contiguous integer tensor; negative ones in two's complement.
std::vector<std::uint64_t> to_words(const Tensor& tensor);

/// Writes as many words as the tensor has elements, each without the bits that don't fit.
void from_words(std::span<const std::uint64_t> words, Tensor& tensor);

/// True for i64, i32, i16 and i8: their words must be compared and divided as std::int64_t.
bool is_signed(ElementType type);

}  // namespace rondo::reference
