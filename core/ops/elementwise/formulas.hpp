// What each function computes, of one element: the evaluators and the CPU's plain loops apply it.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>

#include "core/ops/elementwise/functions.hpp"
#include "core/support/errors.hpp"
#include "core/support/wrapping.hpp"

namespace rondo::ops {

namespace formulas {

// NaN stays NaN in each of these.
inline double relu(double x) { return x < 0 ? 0.0 : x; }
inline double sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }
inline double hsigmoid(double x) { return std::isnan(x) ? x : std::clamp(x + 3, 0.0, 6.0) / 6; }

// Without overflow for a large x.
inline double softplus(double x) {
    return std::isnan(x) ? x : std::fmax(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
}

// The limits at infinity, where the factors would give NaN.
inline double hswish(double x) { return x <= -3 ? -0.0 : x * hsigmoid(x); }
inline double mish(double x) { return std::isinf(x) && x < 0 ? -0.0 : x * std::tanh(softplus(x)); }
inline double softsign(double x) { return std::isinf(x) ? sign(x) : x / (1 + std::fabs(x)); }

// ln(x + sqrt(x^2 - 1)) by 1 + a = x, exact near 1. The C library's own differs in the last bit
// between processors. Above 2^28 the root is x.
inline double acosh(double x) {
    constexpr double kLn2 = 0x1.62e42fefa39efp-1;
    if (x > 0x1p28) return std::log(x) + kLn2;
    if (x < 1) return std::numeric_limits<double>::quiet_NaN();
    const double a = x - 1;
    return std::log1p(a + std::sqrt(a * (a + 2)));
}

inline double floor_mod(double a, double b) {
    const double rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(0.0, b);
    return std::signbit(rest) != std::signbit(b) ? rest + b : rest;
}

}  // namespace formulas

/// f(x) of a floating type, in double.
template <UnaryFunction function>
double value_of(double x) {
    using enum UnaryFunction;
    switch (function) {
        case abs: return std::fabs(x);
        case acos: return std::acos(x);
        case acosh: return formulas::acosh(x);
        case asin: return std::asin(x);
        case asinh: return std::asinh(x);
        case atan: return std::atan(x);
        case atanh: return std::atanh(x);
        case bitwise_not: break;
        case ceiling: return std::ceil(x);
        case cos: return std::cos(x);
        case cosh: return std::cosh(x);
        case erf: return std::erf(x);
        case exp: return std::exp(x);
        case floor: return std::floor(x);
        case hsigmoid: return formulas::hsigmoid(x);
        case hswish: return formulas::hswish(x);
        case log: return std::log(x);
        case logical_not: break;
        case mish: return formulas::mish(x);
        case negative: return -x;
        case relu: return formulas::relu(x);
        case round: return std::nearbyint(x);
        case sigmoid: return 1 / (1 + std::exp(-x));
        case sign: return formulas::sign(x);
        case sin: return std::sin(x);
        case sinh: return std::sinh(x);
        case softplus: return formulas::softplus(x);
        case softsign: return formulas::softsign(x);
        case sqrt: return std::sqrt(x);
        case tan: return std::tan(x);
        case tanh: return std::tanh(x);
    }
    internal_error("a function of other types is asked for floating ones");
}

/// f(x) of an integer or a boolean, for the functions that take them.
template <UnaryFunction function, std::integral T>
T value_of(T x) {
    using enum UnaryFunction;
    switch (function) {
        case abs: return magnitude_of(x);
        case bitwise_not: return static_cast<T>(x ^ static_cast<T>(-1));
        case ceiling:
        case floor:
        case round: return x;
        case logical_not: return x == 0;
        case negative: return difference_of(T{0}, x);
        case relu: return is_negative(x) ? T{0} : x;
        case sign: return static_cast<T>(is_negative(x) ? -1 : x == 0 ? 0 : 1);
        default: internal_error("a function of floating types is asked for others");
    }
}

/// f(a, b) of a floating type, in double.
template <BinaryFunction function>
double value_of(double a, double b) {
    using enum BinaryFunction;
    switch (function) {
        case add: return a + b;
        case bitwise_and:
        case bitwise_left_shift:
        case bitwise_or:
        case bitwise_right_shift:
        case bitwise_xor: break;
        case divide: return a / b;
        case floor_mod: return formulas::floor_mod(a, b);
        case maximum: return a > b || std::isnan(a) ? a : b;
        case minimum: return a < b || std::isnan(a) ? a : b;
        case mod: return std::fmod(a, b);
        case multiply: return a * b;
        case power: return std::pow(a, b);
        case squared_difference: return (a - b) * (a - b);
        case subtract: return a - b;
    }
    internal_error("a function of other types is asked for floating ones");
}

/// f(a, b) of integers, modulo T's width. False in `has_value` if it has none. `division`: how
/// Divide rounds.
template <BinaryFunction function, Division division, std::integral T>
T value_of(T a, T b, bool& has_value) {
    using enum BinaryFunction;
    switch (function) {
        case add: return sum_of(a, b);
        case bitwise_and: return static_cast<T>(a & b);
        case bitwise_left_shift: return left_shift_of(a, b);
        case bitwise_or: return static_cast<T>(a | b);
        case bitwise_right_shift: return right_shift_of(a, b);
        case bitwise_xor: return static_cast<T>(a ^ b);
        case divide: return quotient_of<division>(a, b, has_value);
        case floor_mod: return remainder_of<Division::down>(a, b, has_value);
        case maximum: return a < b ? b : a;
        case minimum: return b < a ? b : a;
        case mod: return remainder_of<Division::towards_zero>(a, b, has_value);
        case multiply: return product_of(a, b);
        case power: return power_of(a, b, has_value);
        case squared_difference: return square_of(difference_of(a, b));
        case subtract: return difference_of(a, b);
    }
    internal_error("a function without a formula");
}

/// Whether a and b compare so: floating types, integers or booleans.
template <CompareFunction function, typename T>
bool holds(T a, T b) {
    using enum CompareFunction;
    switch (function) {
        case equal: return a == b;
        case greater: return a > b;
        case greater_equal: return a >= b;
        case less: return a < b;
        case less_equal: return a <= b;
        case not_equal: return a != b;
    }
    internal_error("a function without a formula");
}

/// f(a, b) of booleans.
template <LogicalFunction function, std::same_as<bool> T>
bool holds(T a, T b) {
    using enum LogicalFunction;
    switch (function) {
        case logical_and: return a && b;
        case logical_or: return a || b;
        case logical_xor: return a != b;
    }
    internal_error("a function without a formula");
}

}  // namespace rondo::ops
