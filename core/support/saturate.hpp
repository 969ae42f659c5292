// Numbers as integers: rounded, and bounded by the type.
#pragma once

#include <cmath>
#include <limits>

namespace rondo {

/// The nearest integer that T holds, halves to the even one; 0 for NaN.
template <typename T>
T saturated(double value) {
    const double whole = std::nearbyint(value);
    // 2^digits is exact in double, the greatest number of 64 bits isn't.
    const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
    if (whole >= end) return std::numeric_limits<T>::max();
    if (whole <= static_cast<double>(std::numeric_limits<T>::min())) {
        return std::numeric_limits<T>::min();
    }
    return std::isnan(whole) ? T{0} : static_cast<T>(whole);
}

}  // namespace rondo
