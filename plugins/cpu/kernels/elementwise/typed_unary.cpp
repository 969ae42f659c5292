// Functions of one element: one row a function, in the order of UnaryFunction.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "plugins/cpu/kernels/elementwise/loop_rows.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"
#include "plugins/cpu/kernels/math/integer_words.hpp"

namespace rondo::cpu {
namespace {

using ops::UnaryFunction;

template <typename F, typename T>
struct FloatLoop {
    static bool run(const ElementRun<1>& run) {
        const auto* from = static_cast<const T*>(run.from[0]);
        auto* to = static_cast<T*>(run.to);
        for (std::int64_t i = 0; i < run.n; ++i) {
            to[i] = rounded<T>(F()(widened(from[i * run.steps[0]])));
        }
        return true;
    }
};

template <typename F, typename T>
struct IntegerLoop {
    static bool run(const ElementRun<1>& run) {
        const auto* from = static_cast<const T*>(run.from[0]);
        auto* to = static_cast<T*>(run.to);
        for (std::int64_t i = 0; i < run.n; ++i) to[i] = F()(from[i * run.steps[0]]);
        return true;
    }
};

bool not_loop(const ElementRun<1>& run) {
    const auto* from = static_cast<const std::uint8_t*>(run.from[0]);
    auto* to = static_cast<std::uint8_t*>(run.to);
    for (std::int64_t i = 0; i < run.n; ++i) to[i] = from[i * run.steps[0]] == 0 ? 1 : 0;
    return true;
}

template <typename F>
constexpr FloatLoops<1> floats(F) {
    return float_loops<1, FloatLoop, F>();
}
template <typename F>
constexpr IntegerLoops<1> integers(F) {
    return integer_loops<1, IntegerLoop, F>();
}

template <typename T>
T negated(T x) {
    return static_cast<T>(WrappingWord<T>{0} - static_cast<WrappingWord<T>>(x));
}

template <typename T>
bool is_negative(T x) {
    if constexpr (std::is_signed_v<T>) return x < 0;
    return false;
}

constexpr auto kSame = [](auto x) { return x; };

double positive_part(double x) { return x > 0 || std::isnan(x) ? x : 0.0; }
double sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }
double hard_sigmoid(double x) { return std::isnan(x) ? x : std::clamp(x + 3, 0.0, 6.0) / 6; }
// Without overflow for a large x.
double softplus(double x) {
    return std::isnan(x) ? x : std::fmax(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
}

using Row = LoopRow<1, UnaryFunction>;

constexpr Row kRows[] = {
    {UnaryFunction::abs, floats([](double x) { return std::fabs(x); }),
     integers([](auto x) { return is_negative(x) ? negated(x) : x; })},
    {UnaryFunction::acos, floats([](double x) { return std::acos(x); })},
    {UnaryFunction::acosh, floats([](double x) { return std::acosh(x); })},
    {UnaryFunction::asin, floats([](double x) { return std::asin(x); })},
    {UnaryFunction::asinh, floats([](double x) { return std::asinh(x); })},
    {UnaryFunction::atan, floats([](double x) { return std::atan(x); })},
    {UnaryFunction::atanh, floats([](double x) { return std::atanh(x); })},
    {UnaryFunction::ceiling, floats([](double x) { return std::ceil(x); }), integers(kSame)},
    {UnaryFunction::cos, floats([](double x) { return std::cos(x); })},
    {UnaryFunction::cosh, floats([](double x) { return std::cosh(x); })},
    {UnaryFunction::erf, floats([](double x) { return std::erf(x); })},
    {UnaryFunction::exp, floats([](double x) { return std::exp(x); })},
    {UnaryFunction::floor, floats([](double x) { return std::floor(x); }), integers(kSame)},
    {UnaryFunction::hsigmoid, floats([](double x) { return hard_sigmoid(x); })},
    // The limits at infinity, where the factors would give NaN.
    {UnaryFunction::hswish, floats([](double x) { return x <= -3 ? -0.0 : x * hard_sigmoid(x); })},
    {UnaryFunction::log, floats([](double x) { return std::log(x); })},
    {UnaryFunction::logical_not},
    {UnaryFunction::mish,
     floats([](double x) { return std::isinf(x) && x < 0 ? -0.0 : x * std::tanh(softplus(x)); })},
    {UnaryFunction::negative, floats([](double x) { return -x; }),
     integers([](auto x) { return negated(x); })},
    {UnaryFunction::relu, floats([](double x) { return positive_part(x); }),
     integers([](auto x) { return is_negative(x) ? decltype(x){0} : x; })},
    {UnaryFunction::round, floats([](double x) { return std::nearbyint(x); }), integers(kSame)},
    {UnaryFunction::sigmoid, floats([](double x) { return 1 / (1 + std::exp(-x)); })},
    {UnaryFunction::sign, floats([](double x) { return sign(x); }), integers([](auto x) {
         return static_cast<decltype(x)>(is_negative(x) ? -1 : x == 0 ? 0 : 1);
     })},
    {UnaryFunction::sin, floats([](double x) { return std::sin(x); })},
    {UnaryFunction::sinh, floats([](double x) { return std::sinh(x); })},
    {UnaryFunction::softplus, floats([](double x) { return softplus(x); })},
    {UnaryFunction::softsign,
     floats([](double x) { return std::isinf(x) ? sign(x) : x / (1 + std::fabs(x)); })},
    {UnaryFunction::sqrt, floats([](double x) { return std::sqrt(x); })},
    {UnaryFunction::tan, floats([](double x) { return std::tan(x); })},
    {UnaryFunction::tanh, floats([](double x) { return std::tanh(x); })},
};

}  // namespace

ElementLoop<1> typed_unary_loop(UnaryFunction function, ElementType type) {
    if (type == ElementType::boolean) {
        return function == UnaryFunction::logical_not ? not_loop : nullptr;
    }
    const Row* row = find_row(kRows, function);
    return row != nullptr ? row->of(type) : nullptr;
}

}  // namespace rondo::cpu
