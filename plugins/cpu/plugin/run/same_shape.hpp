// Compares shapes without a call: they have few axes, and an inference compares several.
#pragma once

#include <cstddef>

#include "rondo/shape.hpp"

namespace rondo::cpu {

inline bool same_shape(const Shape& a, const Shape& b) {
    const std::size_t rank = a.size();
    if (b.size() != rank) return false;
    for (std::size_t i = 0; i < rank; ++i) {
        if (a[i] != b[i]) return false;
    }
    return true;
}

}  // namespace rondo::cpu
