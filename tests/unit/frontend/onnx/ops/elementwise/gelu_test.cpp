// Tests a part of frontend/onnx/ops/elementwise/activation.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::gelu_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::tensor_of;

using Function = double (*)(double x);

double gelu(double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }

double gelu_by_tanh(double x) {
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

// `bias` is an input where it isn't empty.
ModelBuilder node(const char* op_type, const char* domain, const Tensor& bias = {},
                  ElementType type = ElementType::f32) {
    ModelBuilder model(24);
    auto* import = model.message().add_opset_import();
    import->set_domain("com.microsoft");
    import->set_version(1);
    model.input("x", type, {Dimension(), 5}).output("y");
    if (bias) model.initializer("bias", bias);
    std::vector<std::string> inputs{"x"};
    if (bias) inputs.emplace_back("bias");
    model.node(op_type, inputs, {"y"}, "g").domain(domain);
    return model;
}

void expect_function(const ModelBuilder& model, Function function, double shift = 0) {
    const std::vector<float> values{-9, -1.5F, -0.0F, 0.25F, 3};
    std::vector<float> expected;
    for (const float x : values) expected.push_back(static_cast<float>(function(x + shift)));
    expect_near(model.run({tensor_of<float>({1, 5}, values)}).at(0),
                tensor_of<float>({1, 5}, expected), 1e-6);
}

test::NodeBuilder first(ModelBuilder& model) {
    return test::NodeBuilder(*model.graph().mutable_node(0));
}

TEST(OnnxGelu, HasTwoForms) {
    expect_function(node("Gelu", ""), gelu);
    auto by_tanh = node("Gelu", "");
    first(by_tanh).with("approximate", "tanh");
    expect_function(by_tanh, gelu_by_tanh);
    auto unknown = node("Gelu", "");
    first(unknown).with("approximate", "sigmoid");
    expect_error<ModelError>([&] { unknown.read(); },
                             "attribute 'approximate' is 'sigmoid'; expected 'none' or 'tanh'");
}

TEST(OnnxGelu, HasFormsWithABias) {
    const Tensor ones = tensor_of<float>({5}, {1, 1, 1, 1, 1});
    const auto* domain = "com.microsoft";
    expect_function(node("Gelu", domain), gelu);
    expect_function(node("BiasGelu", domain, ones), gelu, 1);
    expect_function(node("FastGelu", domain), gelu_by_tanh);
    expect_function(node("FastGelu", domain, ones), gelu_by_tanh, 1);
    expect_function(node("QuickGelu", domain),
                    [](double x) { return x / (1 + std::exp(-1.702 * x)); });
}

TEST(OnnxSwiGlu, MultipliesByTheGate) {
    ModelBuilder model(28);
    model.input("a", ElementType::f32, {2}).input("b", ElementType::f32, {2}).output("y");
    model.node("SwiGLU", {"a", "b"}, {"y"}, "s").with("alpha", 2.0F);
    const auto f = [](float x) { return x / (1 + std::exp(-2 * x)); };
    const auto y = model.run({tensor_of<float>({2}, {1, -3}), tensor_of<float>({2}, {5, 7})});
    expect_near(y.at(0), tensor_of<float>({2}, {5 * f(1), 7 * f(-3)}), 1e-6);
    ModelBuilder other(28);
    other.input("a", ElementType::f32, {2}).input("b", ElementType::f32, {1}).output("y");
    other.node("SwiGLU", {"a", "b"}, {"y"}, "s");
    expect_error<ModelError>([&] { other.read(); }, "B has shape [1]; expected [2]");
}

TEST(OnnxSwish, ScalesTheSigmoid) {
    expect_function(node("Swish", ""), [](double x) { return x / (1 + std::exp(-x)); });
    auto scaled = node("Swish", "");
    first(scaled).with("alpha", 0.5F);
    expect_function(scaled, [](double x) { return x / (1 + std::exp(-0.5 * x)); });
}

TEST(OnnxGelu, RoundsOtherTypesOnce) {
    const auto x = tensor_of<float16, double>({1, 5}, {-4, -1, 0, 1, 4});
    std::vector<double> expected;
    for (const double value : {-4, -1, 0, 1, 4}) expected.push_back(gelu(value));
    expect_near(node("Gelu", "", {}, ElementType::f16).run({x}).at(0),
                tensor_of<float16, double>({1, 5}, expected), 1e-6, 1e-3);
    expect_error<UnsupportedError>([] { node("Gelu", "", {}, ElementType::i32).read(); },
                                   "the input is i32; expected a floating type");
}

}  // namespace
}  // namespace rondo::onnx::gelu_test
