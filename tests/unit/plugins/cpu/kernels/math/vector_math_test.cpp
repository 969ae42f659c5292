#include "plugins/cpu/kernels/math/vector_math.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/math/plain_ops.hpp"
#include "tests/unit/plugins/cpu/kernels/sequence/reference_sequence.hpp"
#include "tests/unit/plugins/cpu/kernels/test_values.hpp"

namespace rondo::cpu::test {
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

// The functions of one argument that are approximated.
std::vector<UnaryConfig> approximated() {
    std::vector<UnaryConfig> configs = {{UnaryKind::exp, {}}};
    for (ActivationKind kind : {ActivationKind::tanh, ActivationKind::sigmoid, ActivationKind::elu,
                                ActivationKind::softsign, ActivationKind::softplus}) {
        configs.push_back({UnaryKind::activation, default_activation(kind)});
    }
    return configs;
}

std::vector<UnaryConfig> all_functions() {
    std::vector<UnaryConfig> configs = {{UnaryKind::exp, {}}};
    for (const ops::ActivationInfo& info : ops::kActivations) {
        configs.push_back({UnaryKind::activation, default_activation(info.kind)});
    }
    return configs;
}

std::string name_of(const UnaryConfig& config) {
    return config.kind == UnaryKind::exp ? "Exp" : std::string(to_string(config.activation.kind));
}

double reference(const UnaryConfig& config, double x) {
    return config.kind == UnaryKind::exp ? std::exp(x) : reference_activation(config.activation, x);
}

std::vector<float> evaluate(const UnaryKernel& kernel, const std::vector<float>& values) {
    GuardedBuffer out(static_cast<std::int64_t>(values.size()));
    kernel.run(values.data(), out.data(), static_cast<std::int64_t>(values.size()));
    out.check("output");
    return out.values();
}

TEST(VectorMath, AtMostFourUlpOverTheWholeRange) {
    const std::vector<float> values = patterns();
    // The best variant stands for all: they agree to the bit, see below.
    for (const UnaryConfig& config : approximated()) {
        const auto kernel = make_unary_kernel(cpu_features().best(), config);
        const std::vector<float> got = evaluate(*kernel, values);
        double worst = 0.0;
        float where = 0.0f;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (std::isnan(values[i])) {
                ASSERT_TRUE(std::isnan(got[i])) << name_of(config) << " lost a NaN";
                continue;
            }
            const double error = ulp_error(got[i], reference(config, values[i]));
            if (error > worst) {
                worst = error;
                where = values[i];
            }
        }
        EXPECT_LE(worst, 4.0) << name_of(config) << " at " << where;
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
    PlainOps<float> ops;
    for (const UnaryConfig& config : all_functions()) {
        for (float x : special_values()) {
            if (std::isnan(x)) continue;
            const double expected = reference(config, x);
            const float got = config.kind == UnaryKind::exp
                                  ? math::exp(ops, x)
                                  : math::activate(ops, config.activation, x);
            EXPECT_LE(ulp_error(got, expected), 4.0) << name_of(config) << " of " << x;
        }
    }
}

TEST(UnaryKernels, AgreeToTheBit) {
    std::vector<float> values = special_values();
    for (std::uint64_t bits = 0; bits < (1ull << 32); bits += 65521) {
        values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    }
    for (const UnaryConfig& config : all_functions()) {
        const std::vector<float> plain = evaluate(*make_unary_kernel(Isa::plain, config), values);
        for (const UnaryKernelEntry& entry : unary_kernels()) {
            if (entry.isa > cpu_features().best() || entry.precision != Precision::f32) continue;
            expect_same_bits(evaluate(*entry.make(config), values), plain,
                             name_of(config) + " by " + entry.name);
        }
    }
}

TEST(UnaryKernels, AllSizesAndInPlace) {
    Random random;
    const UnaryConfig config{UnaryKind::activation, default_activation(ActivationKind::tanh)};
    for (const UnaryKernelEntry& entry : unary_kernels()) {
        if (entry.isa > cpu_features().best() || entry.precision != Precision::f32) continue;
        const auto kernel = entry.make(config);
        for (std::int64_t n : {0, 1, 7, 8, 9, 15, 16, 17, 31, 33, 53}) {
            const std::vector<float> values = random.floats(n, 4.0f);
            const std::vector<float> apart = evaluate(*kernel, values);
            GuardedBuffer in_place(values);
            kernel->run(in_place.data(), in_place.data(), n);
            in_place.check("in place");
            expect_same_bits(in_place.values(), apart, entry.name);
            for (std::size_t i = 0; i < values.size(); ++i) {
                EXPECT_NEAR(apart[i], std::tanh(double{values[i]}), 1e-6);
            }
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::test
