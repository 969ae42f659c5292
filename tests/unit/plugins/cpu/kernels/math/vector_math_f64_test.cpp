// vector_math.hpp in double, against long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>
#include <random>

#include "plugins/cpu/kernels/math/plain_ops.hpp"
#include "plugins/cpu/kernels/math/vector_math.hpp"
#include "tests/unit/plugins/cpu/kernels/test_values.hpp"

namespace rondo::cpu::tests::vector_math_f64_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

using Doubles = std::vector<double>;

// Both signs of every magnitude; random bits reach all exponents, denormals and NaN, the rest the
// ranges where the functions bend or saturate.
Doubles values_everywhere(int count) {
    Doubles values = {0.0,   DBL_MIN, DBL_MAX, kInfinity, kNaN,  kTiny,  3 * kTiny, 1.0,   0.5,
                      19.06, 22.0,    36.7,    37.0,      44.0,  350.0,  708.3,     708.4, 709.0,
                      709.7, 709.8,   710.0,   744.4,     745.2, 746.0,  1e-300,    1e300, 1e-17,
                      1e17,  0.3466,  0.1733,  0.3465,    2e-8,  1e-154, 4e-309};
    std::mt19937_64 engine(seed());
    for (int i = 0; i < count; ++i) values.push_back(std::bit_cast<double>(engine()));
    for (const double range : {0.2, 1.0, 4.0, 40.0, 750.0}) {
        std::uniform_real_distribution<double> uniform(0.0, range);
        for (int i = 0; i < count; ++i) values.push_back(uniform(engine));
    }
    const std::size_t half = values.size();
    for (std::size_t i = 0; i < half; ++i) values.push_back(-values[i]);
    return values;
}

// e^x, or an activation.
struct Function {
    bool is_exp = false;
    Activation activation;
};

// The values of the functions that are approximated.
long double reference(const Function& function, long double x) {
    if (function.is_exp) return std::exp(x);
    const long double alpha = function.activation.alpha, beta = function.activation.beta;
    switch (function.activation.kind) {
        case ActivationKind::tanh: return std::tanh(x);
        case ActivationKind::scaled_tanh: return alpha * std::tanh(beta * x);
        case ActivationKind::sigmoid: return 1 / (1 + std::exp(-x));
        case ActivationKind::elu: return x >= 0 ? x : alpha * std::expm1(x);
        case ActivationKind::softsign:
            return std::isinf(x) ? std::copysign(1.0L, x) : x / (1 + std::abs(x));
        case ActivationKind::softplus:
            return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
        default: ADD_FAILURE() << "no reference"; return x;
    }
}

// Distance in units of the last place of the double nearest to `expected`, denormals included.
double ulp_error(double got, long double expected) {
    if (static_cast<double>(expected) == got) return 0.0;
    if (!std::isfinite(got)) return kInfinity;
    int exponent = 0;
    std::frexp(std::max(std::abs(expected), static_cast<long double>(DBL_MIN)), &exponent);
    return static_cast<double>(std::abs(got - expected) / std::ldexp(1.0L, exponent - 53));
}

struct Approximated {
    Function function;
    double tolerance;  // ULP
};

// A last multiplication by alpha, and one by beta before, cost up to a ULP each.
std::vector<Approximated> approximated() {
    std::vector<Approximated> functions = {{{true, {}}, 1.0}};
    for (ActivationKind kind : {ActivationKind::tanh, ActivationKind::sigmoid, ActivationKind::elu,
                                ActivationKind::softsign, ActivationKind::softplus}) {
        functions.push_back({{false, default_activation(kind)}, 3.0});
    }
    functions.push_back({{false, {ActivationKind::elu, 0.3f, 0.0f}}, 3.0});
    functions.push_back({{false, {ActivationKind::scaled_tanh, 1.7f, 0.6f}}, 4.0});
    return functions;
}

std::vector<Function> all_functions() {
    std::vector<Function> functions = {{true, {}}};
    for (const ops::ActivationInfo& info : ops::kActivations) {
        functions.push_back({false, default_activation(info.kind)});
        functions.push_back({false, {info.kind, 0.7f, -0.4f}});
    }
    return functions;
}

std::string name_of(const Function& function) {
    return function.is_exp ? "Exp" : std::string(to_string(function.activation.kind));
}

double evaluate(const Function& function, double x) {
    PlainOps<double> ops;
    return function.is_exp ? math::exp(ops, x) : math::activate(ops, function.activation, x);
}

// Generated code gives the same bits: vector_ops_test.cpp.
TEST(VectorMathF64, FewUlpOverTheWholeRange) {
    const Doubles values = values_everywhere(6000);
    for (const auto& [function, tolerance] : approximated()) {
        double worst = 0.0, where = 0.0;
        for (const double x : values) {
            if (std::isnan(x)) continue;
            const double error = ulp_error(evaluate(function, x), reference(function, x));
            if (error > worst) {
                worst = error;
                where = x;
            }
        }
        EXPECT_LE(worst, tolerance) << name_of(function) << " at " << where;
    }
}

TEST(VectorMathF64, PiecewiseLinearFunctions) {
    PlainOps<double> ops;
    const double a = 0.7f, b = -0.4f;
    for (double x : values_everywhere(100)) {
        if (std::isnan(x)) continue;
        const auto got = [&](ActivationKind kind) {
            return math::activate(ops, Activation{kind, 0.7f, -0.4f}, x);
        };
        EXPECT_EQ(got(ActivationKind::affine), std::fma(x, a, b));
        EXPECT_EQ(got(ActivationKind::relu), std::max(x, 0.0));
        EXPECT_EQ(got(ActivationKind::leaky_relu), x >= 0 ? x : a * x);
        EXPECT_EQ(got(ActivationKind::thresholded_relu), x > a ? x : 0.0);
        EXPECT_EQ(got(ActivationKind::hard_sigmoid), std::clamp(std::fma(x, a, b), 0.0, 1.0));
    }
}

TEST(VectorMathF64, EveryFunctionKeepsNaN) {
    for (const Function& function : all_functions()) {
        for (const double x : {kNaN, -kNaN}) {
            EXPECT_TRUE(std::isnan(evaluate(function, x))) << name_of(function);
        }
    }
}

TEST(VectorMathF64, ExactWhereItMatters) {
    PlainOps<double> ops;
    EXPECT_EQ(math::sigmoid(ops, 0.0), 0.5);
    EXPECT_EQ(math::sigmoid(ops, kInfinity), 1.0);
    EXPECT_EQ(math::sigmoid(ops, 40.0), 1.0);
    EXPECT_EQ(math::sigmoid(ops, -kInfinity), 0.0);
    EXPECT_EQ(math::tanh(ops, kInfinity), 1.0);
    EXPECT_EQ(math::tanh(ops, -20.0), -1.0);
    EXPECT_EQ(math::tanh(ops, kTiny), kTiny);
    EXPECT_TRUE(std::signbit(math::tanh(ops, -0.0)));
    EXPECT_EQ(math::exp(ops, 0.0), 1.0);
    EXPECT_EQ(math::exp(ops, -kInfinity), 0.0);
    EXPECT_EQ(math::exp(ops, -745.2), 0.0);
    EXPECT_EQ(math::exp(ops, -745.1), kTiny);
    EXPECT_EQ(math::exp(ops, 710.0), kInfinity);
    EXPECT_EQ(math::exp(ops, kInfinity), kInfinity);
    EXPECT_EQ(math::softplus(ops, kInfinity), kInfinity);
    EXPECT_EQ(math::softplus(ops, -745.1), kTiny);
    EXPECT_EQ(math::softsign(ops, -kInfinity), -1.0);
    EXPECT_EQ(math::elu(ops, -kInfinity, 1.0f), -1.0);
}

TEST(VectorMathF64, TanhStaysWithinOne) {
    PlainOps<double> ops;
    for (double x = 0.0; x < 25.0; x += 0.001) {
        EXPECT_LE(math::tanh(ops, x), 1.0);
        EXPECT_EQ(math::tanh(ops, -x), -math::tanh(ops, x));
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::vector_math_f64_test
