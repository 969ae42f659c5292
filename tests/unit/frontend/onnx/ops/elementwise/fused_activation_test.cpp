#include "frontend/onnx/ops/elementwise/fused_activation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::fused_activation_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::NodeBuilder;
using test::scalar_of;
using test::tensor_of;

const Tensor kX = tensor_of<float>({3, 1}, {-2, 0.5F, 3});

ModelBuilder microsoft(const char* op_type, const std::vector<std::string>& inputs,
                       const Shape& x) {
    ModelBuilder model(17);
    auto* import = model.message().add_opset_import();
    import->set_domain("com.microsoft");
    import->set_version(1);
    model.input("x", ElementType::f32, x).output("y");
    model.node(op_type, inputs, {"y"}, "n").domain("com.microsoft");
    return model;
}

NodeBuilder node(ModelBuilder& model) { return NodeBuilder(*model.graph().mutable_node(0)); }

ModelBuilder gemm(const char* activation, const std::vector<float>& parameters) {
    auto model = microsoft("FusedGemm", {"x", "w"}, kX.shape());
    model.initializer("w", tensor_of<float>({1, 1}, {1}));
    node(model).with("activation", activation);
    const char* names[] = {"activation_alpha", "activation_beta", "activation_gamma"};
    for (std::size_t i = 0; i < parameters.size(); ++i) node(model).with(names[i], parameters[i]);
    return model;
}

TEST(OnnxFusedActivation, KnowsEveryFunction) {
    const auto expect = [](const char* name, const std::vector<float>& parameters,
                           const std::vector<double>& y) {
        SCOPED_TRACE(name);
        expect_near(gemm(name, parameters).run({kX}).at(0), tensor_of<float, double>({3, 1}, y),
                    1e-6);
    };
    const double e = std::exp(-2.0) - 1;
    expect("Celu", {2}, {2 * (std::exp(-1.0) - 1), 0.5, 3});
    expect("Clip", {-1, 2}, {-1, 0.5, 2});
    expect("Elu", {0.5F}, {0.5 * e, 0.5, 3});
    expect("HardSigmoid", {0.25F, 0.5F}, {0, 0.625, 1});
    expect("HardSwish", {}, {-1.0 / 3, 0.5 * 3.5 / 6, 3});
    expect("LeakyRelu", {0.25F}, {-0.5, 0.5, 3});
    expect("ParametricSoftplus", {2, 0.5F},
           {2 * std::log1p(std::exp(-1.0)), 2 * std::log1p(std::exp(0.25)),
            2 * std::log1p(std::exp(1.5))});
    expect("Relu", {}, {0, 0.5, 3});
    expect("ScaledTanh", {2, 0.5F}, {2 * std::tanh(-1.0), 2 * std::tanh(0.25), 2 * std::tanh(1.5)});
    expect("Selu", {0.5F, 2}, {e, 1, 6});
    expect("Sigmoid", {},
           {1 / (1 + std::exp(2.0)), 1 / (1 + std::exp(-0.5)), 1 / (1 + std::exp(-3.0))});
    expect("Softplus", {},
           {std::log1p(std::exp(-2.0)), std::log1p(std::exp(0.5)), std::log1p(std::exp(3.0))});
    expect("Softsign", {}, {-2.0 / 3, 1.0 / 3, 0.75});
    expect("Tanh", {}, {std::tanh(-2.0), std::tanh(0.5), std::tanh(3.0)});
    expect("ThresholdedRelu", {1}, {0, 0, 3});
}

TEST(OnnxFusedActivation, RefusesOthers) {
    expect_error<UnsupportedError>([] { gemm("Gelu", {}).read(); },
                                   "node 'n' (FusedGemm): attribute 'activation' is 'Gelu'");
    expect_error<ModelError>([] { gemm("LeakyRelu", {}).read(); },
                             "the activation 'LeakyRelu' has 0 parameters; expected 1");
}

TEST(OnnxFusedConv, AddsBeforeTheActivation) {
    auto model = microsoft("FusedConv", {"x", "w", "b", "z"}, {1, 1, 3});
    model.initializer("w", tensor_of<float>({2, 1, 1}, {1, -1}));
    model.initializer("b", tensor_of<float>({2}, {1, 0}));
    model.initializer("z", tensor_of<float>({1, 2, 3}, {0, 0, 0, 0, 9, 0}));
    node(model).with("activation", "Clip").with("activation_params", std::vector<float>{0, 4});
    expect_near(model.run({tensor_of<float>({1, 1, 3}, {-2, 2, 5})}).at(0),
                tensor_of<float>({1, 2, 3}, {0, 3, 4, 2, 4, 0}), 0);
}

// A bias lies along the filters, though nothing says its rank, and the width is as large.
TEST(OnnxFusedConv, TakesABiasOfAnyShape) {
    auto model = microsoft("FusedConv", {"x", "w", "b"}, {1, 1, 2});
    model.initializer("w", tensor_of<float>({2, 1, 1}, {1, 2}));
    model.input("b", ElementType::f32, PartialShape());
    node(model).with("activation", "Relu");
    expect_near(
        model.run({tensor_of<float>({1, 1, 2}, {1, 2}), tensor_of<float>({2}, {10, 20})}).at(0),
        tensor_of<float>({1, 2, 2}, {11, 12, 22, 24}), 0);
}

TEST(OnnxFusedMatMul, HasAnActivation) {
    auto model = microsoft("FusedMatMulActivation", {"x", "w"}, {3, 1});
    model.initializer("w", tensor_of<float>({2, 1}, {1, -1}));
    node(model).with("activation", "Relu").with("transB", 1).with("alpha", 2.0F);
    expect_near(model.run({kX}).at(0), tensor_of<float>({3, 2}, {0, 4, 1, 0, 6, 0}), 0);
}

// Forms of ONNX's own operators.
TEST(OnnxMicrosoft, HasFormsOfOtherOperators) {
    auto pad = microsoft("Pad", {"x", "pads"}, {3, 1});
    pad.initializer("pads", tensor_of<std::int64_t>({1, 4}, {0, 1, 0, 0}));
    expect_near(pad.run({kX}).at(0), tensor_of<float>({3, 2}, {0, -2, 0, 0.5F, 0, 3}), 0);
    auto expand = microsoft("ExpandDims", {"x", "axis"}, {3, 1});
    expand.initializer("axis", scalar_of<std::int32_t>(0));
    expect_near(expand.run({kX}).at(0), kX.reshaped({1, 3, 1}), 0);
    auto gather = microsoft("GatherND", {"x", "i"}, {3, 1});
    gather.initializer("i", tensor_of<std::int64_t>({1, 1}, {2}));
    expect_near(gather.run({kX}).at(0), tensor_of<float>({1, 1}, {3}), 0);
    auto add = microsoft("BiasAdd", {"x", "b", "x"}, {3, 1});
    add.initializer("b", tensor_of<float>({1}, {10}));
    expect_near(add.run({kX}).at(0), tensor_of<float>({3, 1}, {6, 11, 16}), 0);
    auto range = microsoft("Range", {"a", "b"}, {});
    range.initializer("a", scalar_of(0.5F)).initializer("b", scalar_of(3.0F));
    expect_near(range.run({scalar_of(0.0F)}).at(0), tensor_of<float>({3}, {0.5F, 1.5F, 2.5F}), 0);
    auto split = microsoft("BiasSplitGelu", {"x", "b"}, {1, 1, 4});
    split.initializer("b", tensor_of<float>({4}, {0, 1, 0, 0}));
    expect_near(split.run({tensor_of<float>({1, 1, 4}, {2, 3, 0, 100})}).at(0),
                tensor_of<float>({1, 1, 2}, {0, 400}), 1e-4);
}

}  // namespace
}  // namespace rondo::onnx::fused_activation_test
