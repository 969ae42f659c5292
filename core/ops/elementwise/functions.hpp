// The functions of the elementwise families and their ops: plain data that kernels may use too.
#pragma once

#include <cstdint>

#include "core/ops/common/families.hpp"

namespace rondo::ops {

/// Functions of one element.
// keep-sorted
enum class UnaryFunction : std::uint8_t {
    abs,
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atanh,
    bitwise_not,  ///< of integers
    ceiling,
    cos,
    cosh,
    erf,  ///< the error function
    exp,
    floor,
    hsigmoid,     ///< min(max(x + 3, 0), 6) / 6
    hswish,       ///< x min(max(x + 3, 0), 6) / 6
    log,          ///< the natural logarithm
    logical_not,  ///< of booleans
    mish,         ///< x tanh(ln(1 + e^x))
    negative,     ///< -x
    relu,         ///< max(x, 0)
    round,        ///< to the nearest integer, halves to the even one
    sigmoid,      ///< 1 / (1 + e^-x)
    sign,         ///< -1, 0 or 1
    sin,
    sinh,
    softplus,  ///< ln(1 + e^x)
    softsign,  ///< x / (1 + |x|)
    sqrt,
    tan,
    tanh,
};

struct UnaryInfo {
    OpType type;
    UnaryFunction function;
    TypeRule types;
};

/// In the order of UnaryFunction, which says what each one computes.
inline constexpr UnaryInfo kUnaryOps[] = {
    {{"Abs", 1}, UnaryFunction::abs, TypeRule::number},
    {{"Acos", 1}, UnaryFunction::acos, TypeRule::floating},
    {{"Acosh", 4}, UnaryFunction::acosh, TypeRule::floating},
    {{"Asin", 1}, UnaryFunction::asin, TypeRule::floating},
    {{"Asinh", 4}, UnaryFunction::asinh, TypeRule::floating},
    {{"Atan", 1}, UnaryFunction::atan, TypeRule::floating},
    {{"Atanh", 4}, UnaryFunction::atanh, TypeRule::floating},
    {{"BitwiseNot", 13}, UnaryFunction::bitwise_not, TypeRule::integer},
    {{"Ceiling", 1}, UnaryFunction::ceiling, TypeRule::number},
    {{"Cos", 1}, UnaryFunction::cos, TypeRule::floating},
    {{"Cosh", 1}, UnaryFunction::cosh, TypeRule::floating},
    {{"Erf", 1}, UnaryFunction::erf, TypeRule::floating},
    {{"Exp", 1}, UnaryFunction::exp, TypeRule::floating},
    {{"Floor", 1}, UnaryFunction::floor, TypeRule::number},
    {{"HSigmoid", 5}, UnaryFunction::hsigmoid, TypeRule::floating},
    {{"HSwish", 4}, UnaryFunction::hswish, TypeRule::floating},
    {{"Log", 1}, UnaryFunction::log, TypeRule::floating},
    {{"LogicalNot", 1}, UnaryFunction::logical_not, TypeRule::boolean},
    {{"Mish", 4}, UnaryFunction::mish, TypeRule::floating},
    {{"Negative", 1}, UnaryFunction::negative, TypeRule::number},
    {{"ReLU", 1}, UnaryFunction::relu, TypeRule::number},
    {{"Round", 5}, UnaryFunction::round, TypeRule::number},
    {{"Sigmoid", 1}, UnaryFunction::sigmoid, TypeRule::floating},
    {{"Sign", 1}, UnaryFunction::sign, TypeRule::number},
    {{"Sin", 1}, UnaryFunction::sin, TypeRule::floating},
    {{"Sinh", 1}, UnaryFunction::sinh, TypeRule::floating},
    {{"SoftPlus", 4}, UnaryFunction::softplus, TypeRule::floating},
    {{"SoftSign", 9}, UnaryFunction::softsign, TypeRule::floating},
    {{"Sqrt", 1}, UnaryFunction::sqrt, TypeRule::floating},
    {{"Tan", 1}, UnaryFunction::tan, TypeRule::floating},
    {{"Tanh", 1}, UnaryFunction::tanh, TypeRule::floating},
};
static_assert(in_order_of_functions(kUnaryOps));

/// Arithmetic of two elements.
// keep-sorted
enum class BinaryFunction : std::uint8_t {
    add,
    bitwise_and,
    bitwise_left_shift,  ///< a shift by the width or more, or by less than 0, gives 0
    bitwise_or,
    bitwise_right_shift,  ///< likewise; signed integers keep their sign: -1 instead of 0
    bitwise_xor,
    divide,
    floor_mod,  ///< the remainder with the divisor's sign
    maximum,
    minimum,
    mod,  ///< the remainder with the sign of the dividend
    multiply,
    power,
    squared_difference,  ///< (a - b)^2
    subtract,
};

/// The number n for which f(x, n) is exactly x, for every x.
enum class RightNeutral : std::uint8_t {
    nothing,
    zero,
    negative_zero,  ///< -0.0 of floating types, since 0 would turn -0 into 0; 0 of integers
    one,
};

struct BinaryInfo {
    OpType type;
    BinaryFunction function;
    TypeRule types;
    RightNeutral neutral = RightNeutral::nothing;
    bool commutes = false;  ///< f(a, b) is f(b, a), to the bit
};

/// In the order of BinaryFunction, which says what each one computes.
inline constexpr BinaryInfo kBinaryOps[] = {
    {{"Add", 1}, BinaryFunction::add, TypeRule::number, RightNeutral::negative_zero, true},
    {{"BitwiseAnd", 13},
     BinaryFunction::bitwise_and,
     TypeRule::integer,
     RightNeutral::nothing,
     true},
    {{"BitwiseLeftShift", 15},
     BinaryFunction::bitwise_left_shift,
     TypeRule::integer,
     RightNeutral::zero},
    {{"BitwiseOr", 13}, BinaryFunction::bitwise_or, TypeRule::integer, RightNeutral::zero, true},
    {{"BitwiseRightShift", 15},
     BinaryFunction::bitwise_right_shift,
     TypeRule::integer,
     RightNeutral::zero},
    {{"BitwiseXor", 13}, BinaryFunction::bitwise_xor, TypeRule::integer, RightNeutral::zero, true},
    {{"Divide", 1}, BinaryFunction::divide, TypeRule::number, RightNeutral::one},
    {{"FloorMod", 1}, BinaryFunction::floor_mod, TypeRule::number},
    {{"Maximum", 1}, BinaryFunction::maximum, TypeRule::number},
    {{"Minimum", 1}, BinaryFunction::minimum, TypeRule::number},
    {{"Mod", 1}, BinaryFunction::mod, TypeRule::number},
    {{"Multiply", 1}, BinaryFunction::multiply, TypeRule::number, RightNeutral::one, true},
    {{"Power", 1}, BinaryFunction::power, TypeRule::number, RightNeutral::one},
    {{"SquaredDifference", 1}, BinaryFunction::squared_difference, TypeRule::number},
    {{"Subtract", 1}, BinaryFunction::subtract, TypeRule::number, RightNeutral::zero},
};
static_assert(in_order_of_functions(kBinaryOps));

/// Comparisons of two elements; the result is boolean.
// keep-sorted
enum class CompareFunction : std::uint8_t {
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    not_equal,
};

struct CompareInfo {
    OpType type;
    CompareFunction function;
    TypeRule types;
};

/// In the order of CompareFunction.
inline constexpr CompareInfo kCompareOps[] = {
    {{"Equal", 1}, CompareFunction::equal, TypeRule::any},
    {{"Greater", 1}, CompareFunction::greater, TypeRule::any},
    {{"GreaterEqual", 1}, CompareFunction::greater_equal, TypeRule::any},
    {{"Less", 1}, CompareFunction::less, TypeRule::any},
    {{"LessEqual", 1}, CompareFunction::less_equal, TypeRule::any},
    {{"NotEqual", 1}, CompareFunction::not_equal, TypeRule::any},
};
static_assert(in_order_of_functions(kCompareOps));

/// Functions of two booleans.
// keep-sorted
enum class LogicalFunction : std::uint8_t {
    logical_and,
    logical_or,
    logical_xor,
};

struct LogicalInfo {
    OpType type;
    LogicalFunction function;
};

/// In the order of LogicalFunction.
inline constexpr LogicalInfo kLogicalOps[] = {
    {{"LogicalAnd", 1}, LogicalFunction::logical_and},
    {{"LogicalOr", 1}, LogicalFunction::logical_or},
    {{"LogicalXor", 1}, LogicalFunction::logical_xor},
};
static_assert(in_order_of_functions(kLogicalOps));

}  // namespace rondo::ops
