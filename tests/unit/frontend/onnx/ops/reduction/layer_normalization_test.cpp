// Tests a part of frontend/onnx/ops/reduction/normalization.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::layer_normalization_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::tensor_of;

const Tensor kX = tensor_of<float>({2, 2}, {1, 3, 10, 10});

ModelBuilder model_of(const char* op, std::int64_t opset, const PartialShape& shape = {-1, 2}) {
    ModelBuilder model(opset);
    model.input("x", ElementType::f32, shape).output("y");
    model.initializer("scale", tensor_of<float>({2}, {2, 3}));
    model.initializer("b", tensor_of<float>({2}, {0.5F, -1}));
    const bool has_bias = std::string(op) == "LayerNormalization";
    model.node(op, {"x", "scale", has_bias ? "b" : ""}, {"y"}, "norm").with("epsilon", 3.0F);
    return model;
}

test::NodeBuilder node(ModelBuilder& model) {
    return test::NodeBuilder(*model.graph().mutable_node(0));
}

TEST(OnnxLayerNormalization, NormalisesRows) {
    // variances 1 and 0, with epsilon 4 and 3
    const auto y = tensor_of<float>({2, 2}, {-0.5F, 0.5F, 0.5F, -1});
    for (const auto& shape : {PartialShape({-1, 2}), PartialShape()}) {
        expect_near(model_of("LayerNormalization", 17, shape).run({kX}).at(0), y, 1e-6);
    }
    // onnxruntime's optimiser writes it into models of older opsets.
    expect_near(model_of("LayerNormalization", 11).run({kX}).at(0), y, 1e-6);
    auto whole = model_of("LayerNormalization", 17);
    node(whole).with("axis", 0);
    EXPECT_NE(whole.run({kX}).at(0).data<float>()[2], 0.5F);
}

TEST(OnnxLayerNormalization, GivesItsStatistics) {
    auto model = model_of("LayerNormalization", 17);
    for (const char* name : {"mean", "inverse"}) {
        model.graph().mutable_node(0)->add_output(name);
        model.output(name);
    }
    const auto outputs = model.run({kX});
    expect_near(outputs.at(1), tensor_of<float>({2, 1}, {2, 10}), 0);
    expect_near(outputs.at(2), tensor_of<float>({2, 1}, {0.5F, 1 / std::sqrt(3.0F)}), 1e-6);
    node(model).with("stash_type", 16);
    EXPECT_EQ(model.run({kX}).at(1).element_type(), ElementType::bf16);
}

TEST(OnnxLayerNormalization, RefusesWhatDoesntFit) {
    auto model = model_of("LayerNormalization", 17);
    node(model).with("axis", 2);
    expect_error<ModelError>([&] { model.read(); },
                             "node 'norm' (LayerNormalization): axis 2 is out of range for rank 2");
    auto open = model_of("LayerNormalization", 17, PartialShape());
    node(open).with("axis", 1);
    expect_error<UnsupportedError>([&] { open.read(); }, "axis is 1, but the rank of X");
    auto stash = model_of("LayerNormalization", 17);
    node(stash).with("stash_type", 7);
    expect_error<UnsupportedError>([&] { stash.read(); }, "attribute 'stash_type' is 7");
}

// As onnxruntime's own tools write it.
TEST(OnnxRmsNormalization, HasAnotherName) {
    auto model = model_of("SimplifiedLayerNormalization", 17);
    model.graph().mutable_node(0)->add_output("inverse");
    model.output("inverse");
    const auto outputs = model.run({tensor_of<float>({1, 2}, {1, 5})});
    expect_near(outputs.at(0), tensor_of<float>({1, 2}, {0.5F, 3.75F}), 1e-6);
    expect_near(outputs.at(1), tensor_of<float>({1, 1}, {0.25F}), 1e-6);
}

TEST(OnnxRmsNormalization, TakesAScaleOfAnotherType) {
    ModelBuilder model(23);
    model.input("x", ElementType::f16, {1, 2}).output("y");
    model.initializer("scale", tensor_of<float>({2}, {2, 3}));
    model.node("RMSNormalization", {"x", "scale"}, {"y"}).with("epsilon", 3.0F);
    const auto x = tensor_of<float16>({1, 2}, {float16(1.0F), float16(5.0F)});
    expect_near(model.run({x}).at(0), tensor_of<float>({1, 2}, {0.5F, 3.75F}), 1e-3);
}

TEST(OnnxRmsNormalization, DividesByTheRoot) {
    const auto x = tensor_of<float>({1, 2}, {1, 5});  // mean square 13, with epsilon 16
    expect_near(model_of("RMSNormalization", 23).run({x}).at(0),
                tensor_of<float>({1, 2}, {0.5F, 3.75F}), 1e-6);
}

// The parameters are inputs.
ModelBuilder late(const char* op, const PartialShape& x, const PartialShape& parameters) {
    ModelBuilder model(23);
    model.input("x", ElementType::f32, x).input("scale", ElementType::f32, parameters).output("y");
    const bool has_bias = std::string(op) == "LayerNormalization";
    if (has_bias) model.input("b", ElementType::f32, parameters);
    model.node(op, {"x", "scale", has_bias ? "b" : ""}, {"y"}, "norm").with("epsilon", 3.0F);
    return model;
}

TEST(OnnxLayerNormalization, TakesOpenShapes) {
    const auto scale = tensor_of<float>({2}, {2, 3}), b = tensor_of<float>({2}, {0.5F, -1});
    const auto y = tensor_of<float>({2, 2}, {-0.5F, 0.5F, 0.5F, -1});
    for (const auto& x : {PartialShape{2, 2}, PartialShape{-1, 2}, PartialShape{2, -1},
                          PartialShape{-1, -1}, PartialShape()}) {
        for (const auto& shape : {PartialShape{2}, PartialShape{-1}, PartialShape()}) {
            const auto model = late("LayerNormalization", x, shape);
            expect_near(model.run({kX, scale, b}).at(0), y, 1e-6);
            const auto graph = model.read();
            EXPECT_EQ(graph->results()[0]->input(0).node().name(), "norm");
        }
    }
    const auto graph = late("LayerNormalization", {-1, 2}, {2}).read();
    EXPECT_EQ(graph->results()[0]->input(0).node().type_name(), "Add");
}

// Extents that only a parameter has are known of the result.
TEST(OnnxLayerNormalization, KnowsTheExtentsOfItsParameters) {
    const auto graph = late("LayerNormalization", {-1, -1}, {2}).read();
    EXPECT_EQ(graph->results()[0]->input(0).shape(), (PartialShape{-1, 2}));
    const auto open = late("LayerNormalization", {-1, 2, -1}, {-1, 1}).read();
    EXPECT_EQ(open->results()[0]->input(0).shape(), (PartialShape{-1, 2, -1}));
}

TEST(OnnxLayerNormalization, NeverBroadcastsX) {
    const Tensor x(ElementType::f32, {1, 2}), wide(ElementType::f32, {5, 2});
    for (const char* op : {"LayerNormalization", "RMSNormalization"}) {
        std::vector<Tensor> inputs{x, wide, wide};
        if (op != std::string("LayerNormalization")) inputs.pop_back();
        expect_error<ModelError>(
            [&] {
                late(op, {1, 2}, {5, 2}).read();
            },
            "scale has shape [5,2], which can't be broadcast to [1,2]");
        const std::pair<PartialShape, PartialShape> shapes[] = {
            {{-1, 2}, {5, 2}}, {{1, 2}, {-1, 2}}, {{-1, -1}, {-1, -1}}, {{1, 2}, {}}, {{}, {5, 2}}};
        for (const auto& [known, parameters] : shapes) {
            expect_error<ModelError>([&] { late(op, known, parameters).run(inputs); },
                                     "can't be reshaped");
        }
    }
}

TEST(OnnxRmsNormalization, TakesOpenShapes) {
    const auto x = tensor_of<float>({1, 2}, {1, 5}), scale = tensor_of<float>({2}, {2, 3});
    for (const auto& shape : {PartialShape{-1, -1}, PartialShape()}) {
        for (const auto& parameters : {PartialShape{2}, PartialShape{-1}, PartialShape()}) {
            expect_near(late("RMSNormalization", shape, parameters).run({x, scale}).at(0),
                        tensor_of<float>({1, 2}, {0.5F, 3.75F}), 1e-6);
        }
    }
}

}  // namespace
}  // namespace rondo::onnx::layer_normalization_test
