// Integer arithmetic modulo the type's width, without the overflow that C++ leaves undefined.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace rondo {

/// Sums, differences and products of T in this type, cut to T again, are those modulo T's width.
/// At least 32 bits: narrower types would be promoted to int, whose products may overflow.
template <typename T>
using WrappingWord = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// f(a, b) modulo the width of T; floating types as they are.
template <typename T, typename F>
constexpr T wrapped(T a, T b, F f) {
    if constexpr (std::is_floating_point_v<T>) {
        return f(a, b);
    } else {
        using Word = WrappingWord<T>;
        return static_cast<T>(f(static_cast<Word>(a), static_cast<Word>(b)));
    }
}

template <typename T>
constexpr T sum_of(T a, T b) {
    return wrapped(a, b, [](auto x, auto y) { return x + y; });
}
template <typename T>
constexpr T difference_of(T a, T b) {
    return wrapped(a, b, [](auto x, auto y) { return x - y; });
}
template <typename T>
constexpr T product_of(T a, T b) {
    return wrapped(a, b, [](auto x, auto y) { return x * y; });
}

template <typename T>
constexpr T square_of(T x) {
    return product_of(x, x);
}

template <typename T>
constexpr bool is_negative(T x) {
    if constexpr (std::is_signed_v<T>) return x < 0;
    return false;
}

template <typename T>
constexpr bool is_minus_one(T x) {
    if constexpr (std::is_signed_v<T>) return x == -1;
    return false;
}

/// |x|; the least signed integer stays itself.
template <typename T>
T magnitude_of(T x) {
    if constexpr (std::is_floating_point_v<T>) return std::fabs(x);
    return is_negative(x) ? difference_of(T{0}, x) : x;
}

enum class Division { towards_zero, down };

/// An integer's quotient. Sets `has_value` to false if b is 0, else leaves it.
template <Division division, typename T>
constexpr T quotient_of(T a, T b, bool& has_value) {
    if (b == 0) {
        has_value = false;
        return 0;
    }
    // The least integer has no negative: -1 wraps, and would trap.
    if (is_minus_one(b)) return difference_of(T{0}, a);
    const auto result = static_cast<T>(a / b);
    const bool is_above =
        division == Division::down && a % b != 0 && is_negative(a) != is_negative(b);
    return static_cast<T>(result - (is_above ? 1 : 0));
}

/// The remainder: it has the sign of a, or of b if the quotient is rounded down. Sets
/// `has_value` to false if b is 0, else leaves it.
template <Division division, typename T>
constexpr T remainder_of(T a, T b, bool& has_value) {
    if (b == 0) {
        has_value = false;
        return 0;
    }
    if (is_minus_one(b)) return 0;
    const auto rest = static_cast<T>(a % b);
    const bool turns =
        division == Division::down && rest != 0 && is_negative(rest) != is_negative(b);
    return turns ? static_cast<T>(rest + b) : rest;
}

/// a^b by squaring; 1 / a^-b, towards zero, for a negative b. Sets `has_value` to false if that
/// divides by 0, else leaves it.
template <typename T>
constexpr T power_of(T a, T b, bool& has_value) {
    if (is_negative(b)) {
        has_value = has_value && a != 0;
        if (a == 1 || is_minus_one(a)) return (b & 1) != 0 ? a : T{1};
        return 0;
    }
    auto base = static_cast<WrappingWord<T>>(a);
    WrappingWord<T> result = 1;
    for (auto exponent = static_cast<std::uint64_t>(b); exponent != 0; exponent >>= 1) {
        if ((exponent & 1u) != 0) result *= base;
        base *= base;
    }
    return static_cast<T>(result);
}

/// Whether a shift by b moves all bits out.
template <typename T>
constexpr bool shifts_all(T b) {
    return is_negative(b) || static_cast<std::uint64_t>(b) >= 8 * sizeof(T);
}

/// a * 2^b modulo T's width; 0 if b is below 0 or the width or more.
template <typename T>
constexpr T left_shift_of(T a, T b) {
    return shifts_all(b) ? T{0} : static_cast<T>(static_cast<WrappingWord<T>>(a) << b);
}

/// a / 2^b, rounded down; 0, or -1 of a negative number, if b is below 0 or the width or more.
template <typename T>
constexpr T right_shift_of(T a, T b) {
    if (shifts_all(b)) return is_negative(a) ? static_cast<T>(-1) : T{0};
    return static_cast<T>(a >> b);
}

/// The square root, towards zero. A floating root of 64 bits may be off by one.
inline std::uint64_t root_of(std::uint64_t x) {
    auto result = static_cast<std::uint64_t>(std::sqrt(static_cast<long double>(x)));
    while (result > 0 && result > x / result) --result;
    while (result + 1 <= x / (result + 1)) ++result;
    return result;
}

inline double root_of(double x) { return std::sqrt(x); }

}  // namespace rondo
