// Tests a part of frontend/onnx/ops/reduction/normalization.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::batch_normalization_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::tensor_of;

// Factors 2 and 3, shifts 1 and -1; means 10 and 20; deviations 1 and 2.
ModelBuilder batch_norm(const PartialShape& shape, std::int64_t opset = 15,
                        ElementType type = ElementType::f32) {
    ModelBuilder model(opset);
    model.input("x", type, shape).output("y");
    const std::pair<const char*, std::vector<float>> parameters[] = {
        {"scale", {2, 3}}, {"b", {1, -1}}, {"mean", {10, 20}}, {"var", {0.5F, 3.5F}}};
    for (const auto& [name, values] : parameters) {
        model.initializer(name, tensor_of<float>({2}, values));
    }
    model.node("BatchNormalization", {"x", "scale", "b", "mean", "var"}, {"y"}, "bn")
        .with("epsilon", 0.5F);
    return model;
}

test::NodeBuilder node(ModelBuilder& model) {
    return test::NodeBuilder(*model.graph().mutable_node(0));
}

TEST(OnnxBatchNormalization, NormalisesEachChannel) {
    const auto x = tensor_of<float>({1, 2, 2}, {10, 11, 20, 24});
    const auto y = tensor_of<float>({1, 2, 2}, {1, 3, -1, 5});
    for (const std::int64_t opset : {7, 9, 14, 15, 22}) {
        expect_near(batch_norm({1, 2, 2}, opset).run({x}).at(0), y, 1e-5);
        expect_near(batch_norm(PartialShape::of_rank(3), opset).run({x}).at(0), y, 1e-5);
    }
    const auto rows = tensor_of<float>({1, 2}, {11, 24});
    expect_near(batch_norm({-1, 2}).run({rows}).at(0), tensor_of<float>({1, 2}, {3, 5}), 1e-5);
}

TEST(OnnxBatchNormalization, OfHalvesIsRoundedOnce) {
    const auto x = tensor_of<float16, float>({1, 2, 2}, {10, 11, 20, 24});
    expect_near(batch_norm({1, 2, 2}, 15, ElementType::f16).run({x}).at(0),
                tensor_of<float16, float>({1, 2, 2}, {1, 3, -1, 5}), 1e-3);
}

TEST(OnnxBatchNormalization, OldFormsSayThatTheyInfer) {
    const auto x = tensor_of<float>({1, 2}, {11, 24});
    auto model = batch_norm({1, 2}, 6);
    node(model).with("is_test", 1).with("spatial", 0).with("momentum", 0.9F);
    expect_near(model.run({x}).at(0), tensor_of<float>({1, 2}, {3, 5}), 1e-5);
    auto trains = batch_norm({1, 2}, 6);
    expect_error<UnsupportedError>([&] { trains.read(); }, "is_test is 0: training isn't supp");
}

// The batch's own means 4 and 20, variances 0.5 and 3.5.
TEST(OnnxBatchNormalization, TrainsWithTheBatch) {
    auto model = batch_norm({-1, 2}, 15);
    node(model).with("training_mode", 1).with("momentum", 0.75F);
    for (const char* name : {"mean_out", "var_out"}) {
        model.graph().mutable_node(0)->add_output(name);
        model.output(name);
    }
    const float a = std::sqrt(0.5F), b = std::sqrt(3.5F);
    const auto outputs = model.run({tensor_of<float>({2, 2}, {4 - a, 20 - b, 4 + a, 20 + b})});
    const float c = 2 * a, d = 3 * b / 2;
    expect_near(outputs.at(0), tensor_of<float>({2, 2}, {1 - c, -1 - d, 1 + c, -1 + d}), 1e-4);
    expect_near(outputs.at(1), tensor_of<float>({2}, {8.5F, 20}), 1e-5);
    expect_near(outputs.at(2), tensor_of<float>({2}, {0.5F, 3.5F}), 1e-5);
}

TEST(OnnxBatchNormalization, RefusesOldTraining) {
    auto outputs = batch_norm({1, 2}, 9);
    outputs.graph().mutable_node(0)->add_output("mean_out");
    expect_error<UnsupportedError>([&] { outputs.read(); }, "output 1 is used");
}

TEST(OnnxBatchNormalization, RefusesShapesThatDontFit) {
    expect_error<ModelError>(
        [] {
            batch_norm({1, 3, 2}).read();
        },
        "scale has shape [2]; expected [3]");
    auto images = batch_norm({1, 3}, 6);
    node(images).with("is_test", 1).with("spatial", 0);
    expect_error<ModelError>([&] { images.read(); }, "scale has shape [2]; expected [3]");
    expect_error<UnsupportedError>([] { batch_norm(PartialShape()).read(); }, "the rank of X");
}

// The parameters are inputs.
ModelBuilder late(const PartialShape& x, const PartialShape& parameters) {
    ModelBuilder model(15);
    model.input("x", ElementType::f32, x).output("y");
    for (const char* name : {"scale", "b", "mean", "var"}) {
        model.input(name, ElementType::f32, parameters);
    }
    model.node("BatchNormalization", {"x", "scale", "b", "mean", "var"}, {"y"}, "bn")
        .with("epsilon", 0.5F);
    return model;
}

TEST(OnnxBatchNormalization, TakesParametersOfOpenShape) {
    const auto x = tensor_of<float>({1, 2, 2}, {10, 11, 20, 24});
    const auto scale = tensor_of<float>({2}, {2, 3}), b = tensor_of<float>({2}, {1, -1});
    const auto mean = tensor_of<float>({2}, {10, 20}), var = tensor_of<float>({2}, {0.5F, 3.5F});
    for (const auto& shape : {PartialShape{1, 2, 2}, PartialShape{-1, -1, -1}}) {
        for (const auto& parameters : {PartialShape{2}, PartialShape{-1}, PartialShape()}) {
            expect_near(late(shape, parameters).run({x, scale, b, mean, var}).at(0),
                        tensor_of<float>({1, 2, 2}, {1, 3, -1, 5}), 1e-5);
        }
    }
}

TEST(OnnxBatchNormalization, NeedsAParameterForEachChannel) {
    const Tensor one(ElementType::f32, {1}), four(ElementType::f32, {4});
    const Tensor x(ElementType::f32, {2, 1, 3}), wide(ElementType::f32, {2, 4, 3});
    expect_error<ModelError>(
        [] {
            late({2, 1, 3}, {4}).read();
        },
        "scale has shape [4]; expected [1]");
    expect_error<ModelError>([] { late({4}, {4}).read(); }, "scale has shape [4]; expected [1]");
    const auto refused = [](const ModelBuilder& model, const Tensor& data, const Tensor& each) {
        expect_error<ModelError>(
            [&] {
                model.run({data, each, each, each, each});
            },
            "can't be reshaped");
    };
    for (const auto& [data, each] : {std::pair(x, four), std::pair(wide, one)}) {
        refused(late({-1, -1, -1}, each.shape()), data, each);
        refused(late({-1, -1, -1}, {-1}), data, each);
        refused(late(data.shape(), {-1}), data, each);
    }
}

}  // namespace
}  // namespace rondo::onnx::batch_normalization_test
