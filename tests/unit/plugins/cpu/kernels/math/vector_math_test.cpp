#include "plugins/cpu/kernels/math/vector_math.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "plugins/cpu/kernels/math/plain_ops.hpp"
#include "tests/unit/plugins/cpu/kernels/sequence/reference_sequence.hpp"
#include "tests/unit/plugins/cpu/kernels/test_values.hpp"

namespace rondo::cpu::tests::vector_math_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Every 1021st bit pattern: all exponents and signs, infinities' neighbours and NaN.
std::vector<float> patterns() {
    std::vector<float> values;
    for (std::uint64_t bits = 0; bits < (1ull << 32); bits += 1021) {
        values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    }
    return values;
}

std::vector<float> special_values() {
    const float tiny = std::numeric_limits<float>::min();
    return {0.0f,      -0.0f,      1.0f,   -1.0f,  tiny,    -tiny,  FLT_MAX, -FLT_MAX,
            kInfinity, -kInfinity, kNaN,   -kNaN,  88.0f,   -88.0f, 88.8f,   -103.9f,
            104.0f,    0.5f,       -0.5f,  1e-20f, -1e-20f, 9.0f,   9.1f,    -9.1f,
            16.635f,   -87.3f,     -87.4f, -87.7f, 44.0f,   1e10f};
}

// Distance in units of the last place of the f32 nearest to `expected`. Results below the smallest
// normal number may be zero.
double ulp_error(float got, double expected) {
    if (static_cast<float>(expected) == got) return 0.0;
    if (std::abs(expected) < FLT_MIN && std::abs(got) <= FLT_MIN) return 0.0;
    if (!std::isfinite(got)) return kInfinity;
    int exponent = 0;
    std::frexp(std::max(std::abs(expected), double{FLT_MIN}), &exponent);
    return std::abs(double{got} - expected) / std::ldexp(1.0, exponent - 24);
}

// e^x, or an activation.
struct Function {
    bool is_exp = false;
    Activation activation;
};

Function activation(ActivationKind kind) { return {false, default_activation(kind)}; }

// The functions of one argument that are approximated.
std::vector<Function> approximated() {
    std::vector<Function> functions = {{true, {}}};
    for (ActivationKind kind : {ActivationKind::tanh, ActivationKind::sigmoid, ActivationKind::elu,
                                ActivationKind::softsign, ActivationKind::softplus}) {
        functions.push_back(activation(kind));
    }
    return functions;
}

std::vector<Function> all_functions() {
    std::vector<Function> functions = {{true, {}}};
    for (const ops::ActivationInfo& info : ops::kActivations) {
        functions.push_back(activation(info.kind));
    }
    return functions;
}

std::string name_of(const Function& function) {
    return function.is_exp ? "Exp" : std::string(to_string(function.activation.kind));
}

double reference(const Function& function, double x) {
    return function.is_exp ? std::exp(x) : reference_activation(function.activation, x);
}

float evaluate(const Function& function, float x) {
    PlainOps<float> ops;
    return function.is_exp ? math::exp(ops, x) : math::activate(ops, function.activation, x);
}

// Generated code gives the same bits: vector_ops_test.cpp.
TEST(VectorMath, AtMostFourUlpOverTheWholeRange) {
    for (const Function& function : approximated()) {
        double worst = 0.0;
        float where = 0.0f;
        for (const float x : patterns()) {
            const float got = evaluate(function, x);
            if (std::isnan(x)) {
                ASSERT_TRUE(std::isnan(got)) << name_of(function) << " lost a NaN";
                continue;
            }
            const double error = ulp_error(got, reference(function, x));
            if (error > worst) {
                worst = error;
                where = x;
            }
        }
        EXPECT_LE(worst, 4.0) << name_of(function) << " at " << where;
    }
}

TEST(VectorMath, ExactWhereItMatters) {
    PlainOps<float> ops;
    EXPECT_EQ(math::sigmoid(ops, 0.0f), 0.5f);
    EXPECT_EQ(math::sigmoid(ops, kInfinity), 1.0f);
    EXPECT_EQ(math::sigmoid(ops, 20.0f), 1.0f);
    EXPECT_EQ(math::sigmoid(ops, -kInfinity), 0.0f);
    EXPECT_EQ(math::tanh(ops, kInfinity), 1.0f);
    EXPECT_EQ(math::tanh(ops, -kInfinity), -1.0f);
    EXPECT_EQ(math::tanh(ops, 10.0f), 1.0f);
    EXPECT_TRUE(same_bits(math::tanh(ops, -0.0f), -0.0f));
    EXPECT_EQ(math::exp(ops, 0.0f), 1.0f);
    EXPECT_EQ(math::exp(ops, -kInfinity), 0.0f);
    EXPECT_EQ(math::exp(ops, kInfinity), kInfinity);
    EXPECT_EQ(math::exp(ops, 89.0f), kInfinity);
    EXPECT_EQ(math::softplus(ops, kInfinity), kInfinity);
    EXPECT_EQ(math::softplus(ops, -kInfinity), 0.0f);
    EXPECT_EQ(math::softsign(ops, -kInfinity), -1.0f);
    EXPECT_EQ(math::elu(ops, -kInfinity, 1.0f), -1.0f);
    EXPECT_EQ(math::elu(ops, 3.0f, 1.0f), 3.0f);
}

TEST(VectorMath, TanhStaysWithinOne) {
    PlainOps<float> ops;
    for (float x = 0.0f; x < 20.0f; x += 0.001f) {
        EXPECT_LE(math::tanh(ops, x), 1.0f);
        EXPECT_EQ(math::tanh(ops, -x), -math::tanh(ops, x));
    }
}

TEST(VectorMath, EveryFunctionKeepsNaN) {
    PlainOps<float> ops;
    for (const ops::ActivationInfo& info : ops::kActivations) {
        EXPECT_TRUE(std::isnan(math::activate(ops, default_activation(info.kind), kNaN)))
            << info.name;
    }
    EXPECT_TRUE(std::isnan(math::exp(ops, kNaN)));
}

TEST(VectorMath, EveryFunctionMatchesTheReferenceOnSpecialValues) {
    for (const Function& function : all_functions()) {
        for (float x : special_values()) {
            if (std::isnan(x)) continue;
            EXPECT_LE(ulp_error(evaluate(function, x), reference(function, x)), 4.0)
                << name_of(function) << " of " << x;
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::vector_math_test
