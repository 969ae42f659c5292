// Numbers as integers: rounded, and bounded by the type.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

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

// Rounding in two steps that gives what one step gives.

/// `value` as a float whose last bit is 1 unless it is exact ("round to odd"): rounding that again,
/// to f16 or bf16, gives the same as rounding the double itself.
inline float sticky_float(double value) {
    const auto nearest = static_cast<float>(value);
    if (static_cast<double>(nearest) == value || std::isnan(value)) return nearest;
    if ((std::bit_cast<std::uint32_t>(nearest) & 1u) != 0) return nearest;
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    return std::nextafter(nearest, value > static_cast<double>(nearest) ? kInfinity : -kInfinity);
}

/// The same from 64 bits to a double, which is exact for integers below 2^53.
template <typename Integer>
double sticky_double(Integer value) {
    static_assert(sizeof(Integer) == 8 && std::is_integral_v<Integer>);
    constexpr Integer kExact = Integer{1} << 53;
    constexpr Integer kLost = 0x7ff;
    bool is_exact = value <= kExact;
    if constexpr (std::is_signed_v<Integer>) is_exact = is_exact && value >= -kExact;
    if (is_exact || (value & kLost) == 0) return static_cast<double>(value);
    return static_cast<double>((value & ~kLost) | (kLost + 1));
}

}  // namespace rondo
