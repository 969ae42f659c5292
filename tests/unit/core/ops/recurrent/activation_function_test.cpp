#include "core/ops/recurrent/recurrent_op.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/support/strings.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::ops::activation_function_test {
namespace {

using Kind = ActivationKind;
using test::expect_error;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Case {
    const char* name;
    Kind kind;
    bool takes_alpha, takes_beta, standard;
    float alpha, beta;         // the defaults
    double at_minus, at_plus;  // values at x = -0.75 and x = 2 with the defaults
};

// Values from the ONNX operators' formulas, worked out with Python's math module.
constexpr Case kCases[] = {
    {"Affine", Kind::affine, true, true, false, 1.0f, 0.0f, -0.75, 2.0},
    {"Relu", Kind::relu, false, false, true, 0.0f, 0.0f, 0.0, 2.0},
    {"LeakyRelu", Kind::leaky_relu, true, false, false, 0.01f, 0.0f, -0.0075, 2.0},
    {"ThresholdedRelu", Kind::thresholded_relu, true, false, false, 1.0f, 0.0f, 0.0, 2.0},
    {"Tanh", Kind::tanh, false, false, true, 0.0f, 0.0f, -0.6351489524, 0.9640275801},
    {"ScaledTanh", Kind::scaled_tanh, true, true, false, 1.0f, 1.0f, -0.6351489524, 0.9640275801},
    {"Sigmoid", Kind::sigmoid, false, false, true, 0.0f, 0.0f, 0.3208213008, 0.8807970780},
    {"HardSigmoid", Kind::hard_sigmoid, true, true, false, 0.2f, 0.5f, 0.35, 0.9},
    {"Elu", Kind::elu, true, false, false, 1.0f, 0.0f, -0.5276334473, 2.0},
    {"Softsign", Kind::softsign, false, false, false, 0.0f, 0.0f, -0.4285714286, 0.6666666667},
    {"Softplus", Kind::softplus, false, false, false, 0.0f, 0.0f, 0.3868710061, 2.1269280110},
};

TEST(ActivationFunction, HasItsOnnxName) {
    for (const auto& known : kCases) {
        EXPECT_EQ(to_string(known.kind), known.name);
        EXPECT_EQ(activation_from_string(known.name), known.kind) << known.name;
    }
    EXPECT_EQ(activation_from_string("hardSIGMOID"), Kind::hard_sigmoid);
    EXPECT_EQ(activation_from_string("Gelu"), std::nullopt);
    EXPECT_EQ(activation_from_string(""), std::nullopt);
}

TEST(ActivationFunction, SaysWhatItTakes) {
    for (const auto& known : kCases) {
        EXPECT_EQ(info_of(known.kind).takes_alpha, known.takes_alpha) << known.name;
        EXPECT_EQ(info_of(known.kind).takes_beta, known.takes_beta) << known.name;
        EXPECT_EQ(is_standard(known.kind), known.standard) << known.name;
    }
}

TEST(ActivationFunction, DefaultsAreThoseOfTheOnnxOperators) {
    for (const auto& known : kCases) {
        const auto functions = resolve_activations({known.name}, {}, {});
        ASSERT_EQ(functions.size(), 1u);
        EXPECT_EQ(functions[0], (ActivationFunction{known.kind, known.alpha, known.beta}))
            << known.name;
    }
}

TEST(ActivationFunction, HasItsValues) {
    for (const auto& known : kCases) {
        const ActivationFunction function{known.kind, known.alpha, known.beta};
        EXPECT_NEAR(apply(function, -0.75), known.at_minus, 1e-8) << known.name;
        EXPECT_NEAR(apply(function, 2.0), known.at_plus, 1e-8) << known.name;
        EXPECT_TRUE(std::isnan(apply(function, std::nan("")))) << known.name;
    }
}

TEST(ActivationFunction, UsesAlphaAndBeta) {
    EXPECT_EQ(apply({Kind::affine, 2.0f, 0.5f}, 3.0), 6.5);
    EXPECT_EQ(apply({Kind::leaky_relu, 0.5f, 0.0f}, -3.0), -1.5);
    EXPECT_EQ(apply({Kind::thresholded_relu, 2.0f, 0.0f}, 2.0), 0.0);
    EXPECT_EQ(apply({Kind::thresholded_relu, 2.0f, 0.0f}, 2.5), 2.5);
    EXPECT_NEAR(apply({Kind::scaled_tanh, 2.0f, 0.5f}, 2.0), 1.5231883119, 1e-9);
    EXPECT_EQ(apply({Kind::hard_sigmoid, 0.25f, 0.5f}, 1.0), 0.75);
    EXPECT_EQ(apply({Kind::hard_sigmoid, 0.25f, 0.5f}, 9.0), 1.0);
    EXPECT_EQ(apply({Kind::hard_sigmoid, 0.25f, 0.5f}, -9.0), 0.0);
    EXPECT_NEAR(apply({Kind::elu, 0.5f, 0.0f}, -1.0), -0.3160602794, 1e-9);
}

TEST(ActivationFunction, HasItsLimits) {
    EXPECT_EQ(apply({Kind::sigmoid}, -kInfinity), 0.0);
    EXPECT_EQ(apply({Kind::sigmoid}, kInfinity), 1.0);
    EXPECT_EQ(apply({Kind::softsign}, kInfinity), 1.0);
    EXPECT_EQ(apply({Kind::softsign}, -kInfinity), -1.0);
    EXPECT_EQ(apply({Kind::softplus}, 1000.0), 1000.0);
    EXPECT_EQ(apply({Kind::softplus}, -kInfinity), 0.0);
    EXPECT_EQ(apply({Kind::elu, 2.0f}, -kInfinity), -2.0);
}

TEST(ActivationFunction, IsExactNearZero) {
    EXPECT_NEAR(apply({Kind::elu, 1.0f}, -1e-12), -1e-12, 1e-23);
    EXPECT_NEAR(apply({Kind::softplus}, -40.0), 4.248354255291589e-18, 1e-32);
}

TEST(ResolveActivations, ConsumesParametersInOrder) {
    const auto functions =
        resolve_activations({"Sigmoid", "LeakyRelu", "HardSigmoid", "Elu"}, {0.1f, 0.3f}, {0.7f});
    ASSERT_EQ(functions.size(), 4u);
    EXPECT_EQ(functions[0], (ActivationFunction{Kind::sigmoid, 0.0f, 0.0f}));
    EXPECT_EQ(functions[1], (ActivationFunction{Kind::leaky_relu, 0.1f, 0.0f}));
    EXPECT_EQ(functions[2], (ActivationFunction{Kind::hard_sigmoid, 0.3f, 0.7f}));
    EXPECT_EQ(functions[3], (ActivationFunction{Kind::elu, 1.0f, 0.0f}));
}

TEST(ResolveActivations, RefusesUnknownNames) {
    expect_error<ModelError>(
        [] {
            resolve_activations({"Tanh", "Gelu"}, {}, {});
        },
        "unknown activation 'Gelu'; expected one of 'Affine', 'Relu'");
    expect_error<ModelError>([] { resolve_activations({"Gelu"}, {}, {}); }, "'Softplus'");
}

// What onnxruntime computes for such lists: entries go to the functions that take one, in order.
TEST(ResolveActivations, DealsOutEntriesInOrderAndDropsTheRest) {
    struct Case {
        std::vector<std::string> names;
        std::vector<float> alpha, beta;
        std::vector<ActivationFunction> functions;
    };
    const ActivationFunction sigmoid{Kind::sigmoid}, tanh{Kind::tanh};
    const auto hard = [](float alpha, float beta) {
        return ActivationFunction{Kind::hard_sigmoid, alpha, beta};
    };
    const Case cases[] = {
        {{"Sigmoid", "Tanh", "Tanh"}, {0, 0, 0}, {0, 0, 0}, {sigmoid, tanh, tanh}},
        {{"Sigmoid", "Tanh"}, {0.3f}, {0.4f, 0.5f, 0.6f}, {sigmoid, tanh}},
        {{"HardSigmoid", "Tanh", "Tanh"},
         {0.3f, 0, 0},
         {0.6f, 0, 0},
         {hard(0.3f, 0.6f), tanh, tanh}},
        {{"HardSigmoid", "Tanh", "Tanh"}, {0.3f, 0, 0}, {}, {hard(0.3f, 0.5f), tanh, tanh}},
        {{"Tanh", "HardSigmoid"}, {0.1f, 0.3f}, {0.2f, 0.6f}, {tanh, hard(0.1f, 0.2f)}},
        {{"HardSigmoid", "Tanh", "HardSigmoid", "Tanh"},
         {0.1f, 0, 0.3f, 0},
         {0.2f, 0.4f},
         {hard(0.1f, 0.2f), tanh, hard(0, 0.4f), tanh}},
        {{"Elu", "Affine"},
         {0.1f, 0.3f, 7},
         {0.2f, 7},
         {{Kind::elu, 0.1f, 0}, {Kind::affine, 0.3f, 0.2f}}},
        {{"Elu"}, {0.5f, std::numeric_limits<float>::quiet_NaN()}, {}, {{Kind::elu, 0.5f, 0}}},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(join(one.names, ", "));
        EXPECT_EQ(resolve_activations(one.names, one.alpha, one.beta), one.functions);
        Case rest = one;
        drop_unused_parameters(rest.names, rest.alpha, rest.beta);
        EXPECT_LE(rest.alpha.size(), one.names.size());
        EXPECT_EQ(resolve_activations(rest.names, rest.alpha, rest.beta), one.functions);
    }
}

TEST(ResolveActivations, DropsWhatIsLeftOver) {
    std::vector<float> alpha = {1, 2, 3};
    std::vector<float> beta = {4};
    drop_unused_parameters({"Elu", "Swish"}, alpha, beta);  // an error of the op names it
    EXPECT_EQ(alpha.size(), 3u);
    drop_unused_parameters({"Elu", "Tanh"}, alpha, beta);
    EXPECT_EQ(alpha, std::vector<float>{1});
    EXPECT_TRUE(beta.empty());
}

TEST(ResolveActivations, RefusesNan) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    expect_error<ModelError>(
        [nan] {
            resolve_activations({"Elu", "LeakyRelu"}, {1.0f, nan}, {});
        },
        "activations_alpha is nan at 1; expected a number");
    expect_error<ModelError>([nan] { resolve_activations({"Affine"}, {1.0f}, {nan}); },
                             "activations_beta is nan at 0; expected a number");
}

}  // namespace
}  // namespace rondo::ops::activation_function_test
