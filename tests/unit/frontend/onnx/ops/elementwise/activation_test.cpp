#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::activation_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

constexpr double kTolerance = 1e-6;

ModelBuilder one_node(const char* op_type, std::int64_t opset, ElementType type, Shape shape) {
    ModelBuilder model(opset);
    model.input("x", type, PartialShape(shape)).output("y").node(op_type, {"x"}, {"y"});
    return model;
}

// The node's attributes are their defaults.
Tensor run(const char* op_type, const std::vector<float>& values, std::int64_t opset = 16) {
    const auto x = tensor_of<float>({values.size()}, values);
    return one_node(op_type, opset, ElementType::f32, x.shape()).run({x}).at(0);
}

TEST(OnnxActivation, ComputesWithDefaults) {
    const std::vector<float> x = {-2, -1e-6f, 0, 0.25f, 2, kInfinity, -kInfinity, kNan};
    const auto expect = [&](const char* op_type, const std::vector<float>& expected) {
        SCOPED_TRACE(op_type);
        expect_near(run(op_type, x), tensor_of<float>({8}, expected), 0, kTolerance);
    };
    expect("Elu", {-0.86466472f, -1e-6f, 0, 0.25f, 2, kInfinity, -1, kNan});
    expect("Celu", {-0.86466472f, -1e-6f, 0, 0.25f, 2, kInfinity, -1, kNan});
    expect("Selu", {-1.52016651f, -1.75809932e-6f, 0, 0.26267526f, 2.10140204f, kInfinity,
                    -1.75809932f, kNan});
    expect("HardSigmoid", {0.1f, 0.4999998f, 0.5f, 0.55f, 0.9f, 1, 0, kNan});
    expect("LeakyRelu", {-0.02f, -1e-8f, 0, 0.25f, 2, kInfinity, -kInfinity, kNan});
    expect("ThresholdedRelu", {0, 0, 0, 0, 2, kInfinity, 0, 0});
    expect("Shrink", {-2, 0, 0, 0, 2, kInfinity, -kInfinity, 0});
}

TEST(OnnxActivation, SeluHadFewerDigitsBeforeOpset6) {
    const double alpha = 1.6732, gamma = 1.0507;
    EXPECT_NEAR(run("Selu", {-1}, 1).data<float>()[0], gamma * alpha * std::expm1(-1.0), 1e-6);
    EXPECT_NEAR(run("Selu", {100}, 1).data<float>()[0], 100 * gamma, 1e-5);
}

TEST(OnnxActivation, HonoursAttributes) {
    const auto run_with = [](const char* op_type, const char* name, float value, float x) {
        auto model = one_node(op_type, 16, ElementType::f32, {1});
        test::NodeBuilder(*model.graph().mutable_node(0)).with(name, value);
        return model.run({tensor_of<float>({1}, {x})}).at(0).data<float>()[0];
    };
    EXPECT_NEAR(run_with("Elu", "alpha", 2, -1), 2 * std::expm1(-1.0), 1e-6);
    EXPECT_NEAR(run_with("Celu", "alpha", 2, -1), 2 * std::expm1(-0.5), 1e-6);
    EXPECT_NEAR(run_with("Selu", "gamma", 2, 3), 6, 1e-6);
    EXPECT_NEAR(run_with("HardSigmoid", "beta", 0.1f, 1), 0.3, 1e-6);
    EXPECT_NEAR(run_with("LeakyRelu", "alpha", 0.5f, -3), -1.5, 1e-6);
    EXPECT_NEAR(run_with("ThresholdedRelu", "alpha", 4, 3), 0, 1e-6);
    EXPECT_NEAR(run_with("Shrink", "bias", 1, 3), 2, 1e-6);
    EXPECT_NEAR(run_with("Shrink", "lambd", 4, 3), 0, 1e-6);
    EXPECT_NEAR(run_with("Celu", "alpha", -2, -1), -2 * std::expm1(0.5), 1e-6);
    EXPECT_NEAR(run_with("Celu", "alpha", -2, 3), 3, 1e-6);
    EXPECT_NEAR(run_with("Celu", "alpha", 2, 1e30F), 1e30F, 1e24);
    expect_error<ModelError>([&] { run_with("Celu", "alpha", 0, 1); },
                             "attribute 'alpha' is 0 or no number");
}

TEST(OnnxActivation, PReluTakesASlopeForEachChannel) {
    ModelBuilder model(16);
    model.input("x", ElementType::f32, {1, 2, 2}).input("slope", ElementType::f32, {2, 1});
    model.output("y").node("PRelu", {"x", "slope"}, {"y"});
    expect_same(
        model
            .run({tensor_of<float>({1, 2, 2}, {-2, 3, -4, 5}), tensor_of<float>({2, 1}, {0.5f, 2})})
            .at(0),
        tensor_of<float>({1, 2, 2}, {-1, 3, -8, 5}));
}

TEST(OnnxActivation, PReluOfOldOpsetsHasASlopeForEachChannel) {
    for (const std::int64_t opset : {1, 6}) {
        ModelBuilder model(opset);
        model.input("x", ElementType::f32, {1, 2, 2}).output("y");
        model.initializer("slope", tensor_of<float>({2}, {0.5f, 2}));
        model.node("PRelu", {"x", "slope"}, {"y"});
        expect_same(model.run({tensor_of<float>({1, 2, 2}, {-2, 3, -4, 5})}).at(0),
                    tensor_of<float>({1, 2, 2}, {-1, 3, -8, 5}));
    }
    ModelBuilder wide(6);
    wide.input("x", ElementType::f32, {1, 2, 2}).input("slope", ElementType::f32, {2, 1});
    wide.output("y").node("PRelu", {"x", "slope"}, {"y"});
    expect_error<ModelError>([&] { wide.read(); }, "the slope has shape [2,1]; expected rank 1");
}

TEST(OnnxActivation, SomeTakeIntegers) {
    ModelBuilder prelu(16);
    prelu.input("x", ElementType::i32, {3}).input("slope", ElementType::i32, {1}).output("y");
    prelu.node("PRelu", {"x", "slope"}, {"y"});
    expect_same(
        prelu.run({tensor_of<std::int32_t>({3}, {-2, 0, 5}), tensor_of<std::int32_t>({1}, {3})})
            .at(0),
        tensor_of<std::int32_t>({3}, {-6, 0, 5}));
    const auto x = tensor_of<std::int8_t, int>({4}, {-3, 0, 1, 3});
    auto shrink = one_node("Shrink", 9, ElementType::i8, {4});
    test::NodeBuilder(*shrink.graph().mutable_node(0)).with("lambd", 1.5f).with("bias", 1.5f);
    expect_same(shrink.run({x}).at(0), tensor_of<std::int8_t, int>({4}, {-1, 0, 0, 1}));
    expect_error<UnsupportedError>([] { one_node("Shrink", 9, ElementType::boolean, {4}).read(); },
                                   "the input is boolean; expected numbers");
}

TEST(OnnxActivation, RefusesIntegers) {
    expect_error<UnsupportedError>([] { one_node("Elu", 16, ElementType::i32, {1}).read(); },
                                   "the input is i32; expected a floating type");
}

}  // namespace
}  // namespace rondo::onnx::activation_test
