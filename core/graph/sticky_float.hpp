// Rounding in two steps that gives what one step gives.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace rondo {

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
