// Loops over rows of f16 and bf16 in plain C++.
#pragma once

#include <cstdint>

#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// Elements `begin` to `end`.
template <typename T>
void widen_rest(const T* from, float* to, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) to[i] = static_cast<float>(from[i]);
}

template <typename T>
void narrow_rest(const float* from, T* to, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) to[i] = T(from[i]);
}

}  // namespace rondo::cpu
