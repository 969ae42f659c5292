// Elements as the numbers that plain loops compute with: floating ones as doubles, rounded once.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "rondo/element_type.hpp"

namespace rondo::cpu {

template <typename T>
inline constexpr bool is_16_bit_float = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

template <typename T>
double widened(T element) {
    if constexpr (is_16_bit_float<T>) {
        return static_cast<float>(element);
    } else {
        return static_cast<double>(element);
    }
}

/// The nearest T, ties to even.
template <typename T>
T rounded(double value) {
    if constexpr (!is_16_bit_float<T>) return static_cast<T>(value);
    const auto nearest = static_cast<float>(value);
    const bool is_exact = static_cast<double>(nearest) == value || std::isnan(value);
    if (is_exact || (std::bit_cast<std::uint32_t>(nearest) & 1u) != 0) return T(nearest);
    // Round to odd first: the last bit is 1 where the float isn't exact, so that rounding the float
    // gives what rounding the double itself would.
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const bool is_above = value > static_cast<double>(nearest);
    return T(std::nextafter(nearest, is_above ? kInfinity : -kInfinity));
}

/// A boolean's byte in a caller's memory: all but 0 is true.
struct Flag {
    std::uint8_t byte;
};

template <typename T>
inline constexpr bool is_float = std::is_floating_point_v<T> || is_16_bit_float<T>;

/// A floating element as a double, a boolean's byte as a bool, an integer as it is.
template <typename T>
auto loaded(T element) {
    if constexpr (std::is_same_v<T, Flag>) {
        return element.byte != 0;
    } else if constexpr (is_float<T>) {
        return widened(element);
    } else {
        return element;
    }
}

/// The element of what was computed with loaded() ones.
template <typename T, typename Number>
T stored(Number number) {
    if constexpr (std::is_same_v<T, Flag>) {
        return {static_cast<std::uint8_t>(number ? 1 : 0)};
    } else if constexpr (is_float<T>) {
        return rounded<T>(number);
    } else {
        return number;
    }
}

}  // namespace rondo::cpu
