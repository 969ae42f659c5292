// Boolean tensors as numbers, and back.
#pragma once

#include <cstdint>
#include <vector>

#include "rondo/tensor.hpp"

namespace rondo::reference {

/// The elements of a contiguous integer or boolean tensor as words; true is 1. A boolean's byte may
/// hold anything in a caller's memory: every byte that isn't 0 is true.
std::vector<std::uint64_t> to_words_or_bits(const Tensor& tensor);

/// Writes as many values as the tensor, a boolean one, has elements: all but 0 is true.
template <typename T>
void to_booleans(const std::vector<T>& values, Tensor& output) {
    bool* to = output.data<bool>();
    for (const T value : values) *to++ = value != T{0};
}

}  // namespace rondo::reference
