// Tests a part of frontend/onnx/ops/reduction/normalization.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::skip_layer_normalization_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::tensor_of;

ModelBuilder node(ElementType type, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs) {
    ModelBuilder model(17);
    auto* import = model.message().add_opset_import();
    import->set_domain("com.microsoft");
    import->set_version(1);
    model.input("x", type, {1, Dimension(), 2}).input("skip", type, {1, Dimension(), 2});
    model.initializer("gamma", test::converted(tensor_of<float>({2}, {1, 2}), type));
    model.initializer("beta", test::converted(tensor_of<float>({2}, {0, 1}), type));
    model.initializer("bias", test::converted(tensor_of<float>({2}, {0, 10}), type));
    for (const std::string& output : outputs) {
        if (!output.empty()) model.output(output);
    }
    model.node("SkipLayerNormalization", inputs, outputs, "s").domain("com.microsoft");
    return model;
}

const Tensor kX = tensor_of<float>({1, 2, 2}, {1, 2, 3, 4});
const Tensor kSkip = tensor_of<float>({1, 2, 2}, {0, 1, 1, 0});

TEST(OnnxSkipLayerNormalization, NormalisesTheSum) {
    // The sums are 1 3 and 4 4.
    const auto plain = node(ElementType::f32, {"x", "skip", "gamma"}, {"y"});
    expect_near(plain.run({kX, kSkip}).at(0), tensor_of<float>({1, 2, 2}, {-1, 2, 0, 0}), 1e-6);
    const auto beta = node(ElementType::f32, {"x", "skip", "gamma", "beta"}, {"y"});
    expect_near(beta.run({kX, kSkip}).at(0), tensor_of<float>({1, 2, 2}, {-1, 3, 0, 1}), 1e-6);
}

TEST(OnnxSkipLayerNormalization, GivesAllOutputs) {
    auto model =
        node(ElementType::f32, {"x", "skip", "gamma", "", "bias"}, {"y", "mean", "inverse", "sum"});
    test::NodeBuilder(*model.graph().mutable_node(0)).with("epsilon", 11.0F);
    // The sums are 1 13 and 4 14, of variances 36 and 25.
    const auto results = model.run({kX, kSkip});
    const float last = 5 / 6.0F;
    expect_near(results.at(0),
                tensor_of<float>({1, 2, 2},
                                 {-6 / std::sqrt(47.0F), 12 / std::sqrt(47.0F), -last, 2 * last}),
                1e-6);
    expect_near(results.at(1), tensor_of<float>({1, 2, 1}, {7, 9}), 1e-6);
    expect_near(results.at(2), tensor_of<float>({1, 2, 1}, {1 / std::sqrt(47.0F), 1 / 6.0F}), 1e-6);
    expect_near(results.at(3), tensor_of<float>({1, 2, 2}, {1, 13, 4, 14}), 0);
}

TEST(OnnxSkipLayerNormalization, HasAFormWithoutMeans) {
    auto model =
        node(ElementType::f32, {"x", "skip", "gamma", "bias"}, {"y", "", "inverse", "sum"});
    model.graph().mutable_node(0)->set_op_type("SkipSimplifiedLayerNormalization");
    test::NodeBuilder(*model.graph().mutable_node(0)).with("epsilon", 15.0F);
    // The sums are 1 13 and 4 14, of mean squares 85 and 106.
    const auto results = model.run({kX, kSkip});
    const float root = 11;
    expect_near(results.at(0), tensor_of<float>({1, 2, 2}, {0.1F, 2.6F, 4 / root, 28 / root}),
                1e-6);
    expect_near(results.at(1), tensor_of<float>({1, 2, 1}, {0.1F, 1 / root}), 1e-6);
    expect_near(results.at(2), tensor_of<float>({1, 2, 2}, {1, 13, 4, 14}), 0);
}

TEST(OnnxSkipLayerNormalization, ComputesTypesOf16BitsInF32) {
    const auto model = node(ElementType::f16, {"x", "skip", "gamma", "beta"}, {"y", "", "", "sum"});
    const auto results = model.run(
        {test::converted(kX, ElementType::f16), test::converted(kSkip, ElementType::f16)});
    expect_near(results.at(0), tensor_of<float16, double>({1, 2, 2}, {-1, 3, 0, 1}), 1e-3);
    expect_near(results.at(1), tensor_of<float16, double>({1, 2, 2}, {1, 3, 4, 4}), 0);
    expect_error<UnsupportedError>(
        [] {
            node(ElementType::i32, {"x", "skip", "gamma"}, {"y"}).read();
        },
        "the input is i32; expected a floating type");
}

}  // namespace
}  // namespace rondo::onnx::skip_layer_normalization_test
