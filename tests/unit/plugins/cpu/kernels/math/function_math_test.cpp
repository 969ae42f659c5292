// The functions of the elementwise families against the C library, in both precisions.
#include "plugins/cpu/kernels/math/function_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/unit/plugins/cpu/kernels/test_values.hpp"

namespace rondo::cpu::tests::function_math_test {
namespace {

using ops::BinaryFunction;
using ops::UnaryFunction;
using Number = long double;

struct Row {
    UnaryFunction function;
    Number (*truth)(Number x);
    double ulp;               // how far the result may be from the truth
    double coarse_under = 1;  // smallest normal numbers, under which only that one is the measure
};

Number softplus(Number x) { return std::fmax(x, Number{0}) + std::log1p(std::exp(-std::fabs(x))); }
Number hsigmoid(Number x) {
    return std::isnan(x) ? x : std::fmin(std::fmax(x + 3, Number{0}), Number{6}) / 6;
}
Number sign(Number x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

// Every function that has a formula and isn't one of the activations of vector_math_test.
const Row kRows[] = {
    {UnaryFunction::abs, [](Number x) { return std::fabs(x); }, 0},
    {UnaryFunction::ceiling, [](Number x) { return std::ceil(x); }, 0},
    {UnaryFunction::erf, [](Number x) { return std::erf(x); }, 4},
    {UnaryFunction::exp, [](Number x) { return std::exp(x); }, 4},
    {UnaryFunction::floor, [](Number x) { return std::floor(x); }, 0},
    {UnaryFunction::hsigmoid, hsigmoid, 2},
    {UnaryFunction::hswish, [](Number x) { return x < -4 ? Number{-0.0} : x * hsigmoid(x); }, 3},
    {UnaryFunction::log, [](Number x) { return std::log(x); }, 2},
    {UnaryFunction::mish,
     [](Number x) { return x < -12000 ? Number{-0.0} : x * std::tanh(softplus(x)); }, 6, 200},
    {UnaryFunction::negative, [](Number x) { return -x; }, 0},
    {UnaryFunction::relu, [](Number x) { return x < 0 ? Number{0} : x; }, 0},
    {UnaryFunction::round, [](Number x) { return std::nearbyint(x); }, 0},
    {UnaryFunction::sign, sign, 0},
    {UnaryFunction::sqrt, [](Number x) { return std::sqrt(x); }, 0.6},
};

template <typename T>
std::vector<T> values() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> all{0,
                       Limits::min(),
                       Limits::denorm_min(),
                       Limits::min() / 8,
                       Limits::max(),
                       Limits::infinity(),
                       Limits::quiet_NaN(),
                       T{0.5},
                       T{1},
                       T{1.5},
                       T{2.5},
                       T{3},
                       std::nextafter(T{1}, T{2}),
                       std::nextafter(T{1}, T{0}),
                       T{0.70710677},
                       T{1.4142135},
                       T{1.4142136}};
    Random random;
    for (const double scale : {1e-30, 1e-6, 0.01, 1.0, 4.0, 30.0, 100.0, 1e4, 1e9, 1e30}) {
        for (const double x : random.doubles(4000, scale)) all.push_back(static_cast<T>(x));
    }
    for (const double x : random.doubles(20000, 0.5)) all.push_back(static_cast<T>(1 + x));
    const std::size_t count = all.size();
    for (std::size_t i = 0; i < count; ++i) all.push_back(-all[i]);
    return all;
}

template <typename T>
double ulps(T got, Number truth, double coarse_under) {
    if (std::isnan(truth) || std::isnan(got)) return std::isnan(truth) == std::isnan(got) ? 0 : 1e9;
    if (static_cast<Number>(got) == truth || static_cast<T>(truth) == got) return 0;
    if (std::isinf(got)) return 1e9;
    const Number smallest = std::numeric_limits<T>::min();
    if (std::fabs(truth) < coarse_under * smallest) {
        return std::fabs(truth - got) <= smallest ? 0 : 1e9;
    }
    const Number step =
        std::ldexp(Number{1}, std::ilogb(truth) - std::numeric_limits<T>::digits + 1);
    return static_cast<double>(std::fabs(truth - got) / step);
}

template <typename T>
void expect_near_truth(const Row& row) {
    PlainOps<T> ops;
    const auto formula = math::formula_of<PlainOps<T>>(row.function);
    double worst = 0;
    for (const T x : values<T>()) {
        const double error = ulps(formula(ops, x), row.truth(x), row.coarse_under);
        worst = std::fmax(worst, error);
        ASSERT_LE(error, row.ulp) << "of " << x << ": " << formula(ops, x) << ", expected "
                                  << row.truth(x);
    }
}

TEST(FunctionMath, UnaryFunctionsAreNearTheTruth) {
    for (const Row& row : kRows) {
        SCOPED_TRACE(static_cast<int>(row.function));
        ASSERT_TRUE(math::has_formula(row.function));
        expect_near_truth<float>(row);
        expect_near_truth<double>(row);
    }
}

TEST(FunctionMath, ZerosKeepTheirSigns) {
    PlainOps<float> ops;
    for (const auto function : {UnaryFunction::sign, UnaryFunction::ceiling, UnaryFunction::floor,
                                UnaryFunction::round, UnaryFunction::sqrt}) {
        const auto formula = math::formula_of<PlainOps<float>>(function);
        EXPECT_TRUE(std::signbit(formula(ops, -0.0f)));
        EXPECT_FALSE(std::signbit(formula(ops, 0.0f)));
    }
    EXPECT_TRUE(std::signbit(math::negative(ops, 0.0f)));
}

TEST(FunctionMath, MaximumAndMinimumKeepNaN) {
    PlainOps<double> ops;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const auto function : {BinaryFunction::maximum, BinaryFunction::minimum}) {
        const auto formula = math::formula_of<PlainOps<double>>(function);
        EXPECT_TRUE(std::isnan(formula(ops, nan, 1.0)));
        EXPECT_TRUE(std::isnan(formula(ops, 1.0, nan)));
        EXPECT_EQ(formula(ops, 1.0, 2.0), function == BinaryFunction::maximum ? 2.0 : 1.0);
        EXPECT_EQ(formula(ops, 2.0, 1.0), function == BinaryFunction::maximum ? 2.0 : 1.0);
    }
    EXPECT_EQ(math::squared_difference(ops, 1.0, 4.0), 9.0);
}

TEST(FunctionMath, SaysWhatItHasNot) {
    EXPECT_FALSE(math::has_formula(UnaryFunction::sinh));
    EXPECT_FALSE(math::has_formula(BinaryFunction::power));
}

}  // namespace
}  // namespace rondo::cpu::tests::function_math_test
