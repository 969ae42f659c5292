// Arithmetic of two elements: one row a function.
#include <cmath>
#include <type_traits>

#include "plugins/cpu/kernels/elementwise/loop_rows.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"
#include "plugins/cpu/kernels/math/integer_words.hpp"

namespace rondo::cpu {
namespace {

using ops::BinaryFunction;

template <typename F, typename T>
struct FloatLoop {
    static bool run(const ElementRun<2>& run) {
        const auto* a = static_cast<const T*>(run.from[0]);
        const auto* b = static_cast<const T*>(run.from[1]);
        auto* to = static_cast<T*>(run.to);
        for_each_pair(run, [&](std::int64_t i, std::int64_t x, std::int64_t y) {
            to[i] = rounded<T>(F()(widened(a[x]), widened(b[y])));
        });
        return true;
    }
};

// A function that has a value for all operands.
template <typename F, typename T>
struct TotalLoop {
    static bool run(const ElementRun<2>& run) {
        const auto* a = static_cast<const T*>(run.from[0]);
        const auto* b = static_cast<const T*>(run.from[1]);
        auto* to = static_cast<T*>(run.to);
        for_each_pair(
            run, [&](std::int64_t i, std::int64_t x, std::int64_t y) { to[i] = F()(a[x], b[y]); });
        return true;
    }
};

// A function that says with its last argument that it has no value.
template <typename F, typename T>
struct PartialLoop {
    static bool run(const ElementRun<2>& run) {
        const auto* a = static_cast<const T*>(run.from[0]);
        const auto* b = static_cast<const T*>(run.from[1]);
        auto* to = static_cast<T*>(run.to);
        bool has_value = true;
        for_each_pair(run, [&](std::int64_t i, std::int64_t x, std::int64_t y) {
            to[i] = F()(a[x], b[y], has_value);
        });
        return has_value;
    }
};

template <typename F>
constexpr FloatLoops<2> floats(F) {
    return float_loops<2, FloatLoop, F>();
}
template <typename F>
constexpr IntegerLoops<2> integers(F) {
    return integer_loops<2, TotalLoop, F>();
}
template <typename F>
constexpr IntegerLoops<2> partial_integers(F) {
    return integer_loops<2, PartialLoop, F>();
}

// f(a, b) modulo the width of T.
template <typename T, typename F>
T wrapped(T a, T b, F f) {
    using Word = WrappingWord<T>;
    return static_cast<T>(f(static_cast<Word>(a), static_cast<Word>(b)));
}

template <typename T>
bool is_minus_one(T x) {
    if constexpr (std::is_signed_v<T>) return x == -1;
    return false;
}

template <typename T>
bool is_below_zero(T x) {
    if constexpr (std::is_signed_v<T>) return x < 0;
    return false;
}

template <bool kRoundsDown, typename T>
T quotient(T a, T b, bool& has_value) {
    if (b == 0) {
        has_value = false;
        return 0;
    }
    // The least integer has no negative: -1 wraps, and would trap.
    if (is_minus_one(b)) return wrapped(T{0}, a, [](auto x, auto y) { return x - y; });
    const auto result = static_cast<T>(a / b);
    const bool is_above = kRoundsDown && a % b != 0 && is_below_zero(a) != is_below_zero(b);
    return static_cast<T>(result - (is_above ? 1 : 0));
}

// kFloors: the sign of b, else that of a.
template <bool kFloors, typename T>
T remainder(T a, T b, bool& has_value) {
    if (b == 0) {
        has_value = false;
        return 0;
    }
    if (is_minus_one(b)) return 0;
    const auto rest = static_cast<T>(a % b);
    const bool turns = kFloors && rest != 0 && is_below_zero(rest) != is_below_zero(b);
    return turns ? static_cast<T>(rest + b) : rest;
}

// By squaring, modulo the width of T.
template <typename T>
T integer_power(T a, T b, bool& has_value) {
    if (is_below_zero(b)) {
        has_value = has_value && a != 0;
        if (a == 1 || is_minus_one(a)) return (b & 1) != 0 ? a : T{1};
        return 0;  // 1 / a^-b, towards zero
    }
    auto base = static_cast<WrappingWord<T>>(a);
    WrappingWord<T> result = 1;
    for (auto exponent = static_cast<std::uint64_t>(b); exponent != 0; exponent >>= 1) {
        if ((exponent & 1u) != 0) result *= base;
        base *= base;
    }
    return static_cast<T>(result);
}

// The sign is the divisor's.
double float_remainder(double a, double b) {
    const double rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(0.0, b);
    return std::signbit(rest) != std::signbit(b) ? rest + b : rest;
}

constexpr auto kFloatQuotient = floats([](double a, double b) { return a / b; });

using Row = LoopRow<2, BinaryFunction>;

// Division is a row for each way of rounding.
constexpr Row kTowardsZero = {BinaryFunction::divide, kFloatQuotient,
                              partial_integers([](auto a, auto b, bool& has_value) {
                                  return quotient<false>(a, b, has_value);
                              })};

constexpr Row kRows[] = {
    {BinaryFunction::add, floats([](double a, double b) { return a + b; }),
     integers([](auto a, auto b) { return wrapped(a, b, [](auto x, auto y) { return x + y; }); })},
    {BinaryFunction::divide, kFloatQuotient, partial_integers([](auto a, auto b, bool& has_value) {
         return quotient<true>(a, b, has_value);
     })},
    {BinaryFunction::floor_mod, floats([](double a, double b) { return float_remainder(a, b); }),
     partial_integers(
         [](auto a, auto b, bool& has_value) { return remainder<true>(a, b, has_value); })},
    {BinaryFunction::maximum,
     floats([](double a, double b) { return a > b || std::isnan(a) ? a : b; }),
     integers([](auto a, auto b) { return a < b ? b : a; })},
    {BinaryFunction::minimum,
     floats([](double a, double b) { return a < b || std::isnan(a) ? a : b; }),
     integers([](auto a, auto b) { return b < a ? b : a; })},
    {BinaryFunction::mod, floats([](double a, double b) { return std::fmod(a, b); }),
     partial_integers(
         [](auto a, auto b, bool& has_value) { return remainder<false>(a, b, has_value); })},
    {BinaryFunction::multiply, floats([](double a, double b) { return a * b; }),
     integers([](auto a, auto b) { return wrapped(a, b, [](auto x, auto y) { return x * y; }); })},
    {BinaryFunction::power, floats([](double a, double b) { return std::pow(a, b); }),
     partial_integers(
         [](auto a, auto b, bool& has_value) { return integer_power(a, b, has_value); })},
    {BinaryFunction::squared_difference,
     floats([](double a, double b) { return (a - b) * (a - b); }), integers([](auto a, auto b) {
         return wrapped(a, b, [](auto x, auto y) { return (x - y) * (x - y); });
     })},
    {BinaryFunction::subtract, floats([](double a, double b) { return a - b; }),
     integers([](auto a, auto b) { return wrapped(a, b, [](auto x, auto y) { return x - y; }); })},
};

}  // namespace

ElementLoop<2> typed_binary_loop(BinaryFunction function, ElementType type, bool rounds_down) {
    const Row* row = find_row(kRows, function);
    if (function == BinaryFunction::divide && !rounds_down) row = &kTowardsZero;
    return row != nullptr ? row->of(type) : nullptr;
}

}  // namespace rondo::cpu
