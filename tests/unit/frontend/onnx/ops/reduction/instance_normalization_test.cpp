// Tests a part of frontend/onnx/ops/reduction/normalization.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::instance_normalization_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

ModelBuilder model_of(const char* op, std::int64_t opset, const PartialShape& shape,
                      std::size_t parameters) {
    ModelBuilder model(opset);
    model.input("x", ElementType::f32, shape).output("y");
    model.initializer("scale", tensor_of<float>({parameters}, std::vector<float>(parameters, 2)));
    std::vector<float> bias(parameters);
    for (std::size_t i = 0; i < parameters; ++i) bias[i] = static_cast<float>(i);
    model.initializer("b", tensor_of<float>({parameters}, bias));
    model.node(op, {"x", "scale", "b"}, {"y"}, "norm").with("epsilon", 3.0F);
    return model;
}

TEST(OnnxInstanceNormalization, NormalisesEachChannel) {
    const auto x = tensor_of<float>({1, 2, 2}, {1, 3, 10, 12});  // variances 1
    const auto y = tensor_of<float>({1, 2, 2}, {-1, 1, 0, 2});
    for (const auto& shape : {PartialShape({1, 2, 2}), PartialShape::of_rank(3)}) {
        expect_near(model_of("InstanceNormalization", 6, shape, 2).run({x}).at(0), y, 1e-6);
    }
    expect_error<UnsupportedError>(
        [] { model_of("InstanceNormalization", 6, PartialShape(), 2).read(); }, "the rank of X");
}

TEST(OnnxGroupNormalization, NormalisesGroupsOfChannels) {
    const auto x = tensor_of<float>({1, 4, 1}, {1, 3, 10, 12});
    for (const auto& shape : {PartialShape({1, 4, 1}), PartialShape::of_rank(3)}) {
        auto old = model_of("GroupNormalization", 18, shape, 2);
        NodeBuilder(*old.graph().mutable_node(0)).with("num_groups", 2);
        expect_near(old.run({x}).at(0), tensor_of<float>({1, 4, 1}, {-1, 1, 0, 2}), 1e-6);
        auto now = model_of("GroupNormalization", 21, shape, 4);
        NodeBuilder(*now.graph().mutable_node(0)).with("num_groups", 2);
        expect_near(now.run({x}).at(0), tensor_of<float>({1, 4, 1}, {-1, 2, 1, 4}), 1e-6);
    }
}

TEST(OnnxGroupNormalization, RefusesGroupsThatDontFit) {
    const auto refused = [](std::int64_t groups, const char* what) {
        auto model = model_of("GroupNormalization", 21, {1, 4, 1}, 4);
        NodeBuilder(*model.graph().mutable_node(0)).with("num_groups", groups);
        expect_error<ModelError>([&] { model.read(); }, what);
    };
    refused(3, "expected channels that it divides");
    refused(0, "attribute 'num_groups' is 0");
}

TEST(OnnxMeanVarianceNormalization, NormalisesTheAxes) {
    ModelBuilder model(13);
    model.input("x", ElementType::f32, {1, 2, 1, 2}).output("y");
    model.node("MeanVarianceNormalization", {"x"}, {"y"});
    const auto x = tensor_of<float>({1, 2, 1, 2}, {1, 3, 10, 14});
    const auto y = tensor_of<float>({1, 2, 1, 2}, {-1, 1, -1, 1});
    expect_near(model.run({x}).at(0), y, 1e-6);
    NodeBuilder(*model.graph().mutable_node(0)).with("axes", std::vector<std::int64_t>{3});
    expect_near(model.run({x}).at(0), y, 1e-6);
}

// The parameters are inputs.
ModelBuilder late(const char* op, std::int64_t opset, const PartialShape& x,
                  const PartialShape& parameters) {
    ModelBuilder model(opset);
    model.input("x", ElementType::f32, x).input("scale", ElementType::f32, parameters).output("y");
    model.input("b", ElementType::f32, parameters);
    auto node = model.node(op, {"x", "scale", "b"}, {"y"}, "norm").with("epsilon", 3.0F);
    if (op == std::string("GroupNormalization")) node.with("num_groups", 2);
    return model;
}

Tensor of(const Shape& shape, const std::vector<float>& values) {
    return tensor_of<float>(shape, values);
}

TEST(OnnxInstanceNormalization, TakesParametersOfOpenShape) {
    const auto x = of({1, 2, 2}, {1, 3, 10, 12}), y = of({1, 2, 2}, {-1, 1, 0, 2});
    const auto scale = of({2}, {2, 2}), b = of({2}, {0, 1});
    for (const auto& shape : {PartialShape{1, 2, 2}, PartialShape{-1, -1, -1}}) {
        for (const auto& parameters : {PartialShape{2}, PartialShape{-1}, PartialShape()}) {
            const auto model = late("InstanceNormalization", 6, shape, parameters);
            expect_near(model.run({x, scale, b}).at(0), y, 1e-6);
        }
    }
}

TEST(OnnxInstanceNormalization, NeedsAParameterForEachChannel) {
    const Tensor one(ElementType::f32, {1}), two(ElementType::f32, {2});
    const Tensor x(ElementType::f32, {1, 1, 2}), wide(ElementType::f32, {1, 2, 2});
    expect_error<ModelError>(
        [] {
            late("InstanceNormalization", 6, {1, 1, 2}, {2}).read();
        },
        "scale has shape [2]; expected [1]");
    expect_error<ModelError>(
        [] {
            late("InstanceNormalization", 6, {1, 2, 2}, {1}).read();
        },
        "scale has shape [1]; expected [2]");
    const auto refused = [](const PartialShape& shape, const PartialShape& parameters,
                            const Tensor& data, const Tensor& vector) {
        const auto model = late("InstanceNormalization", 6, shape, parameters);
        expect_error<ModelError>([&] { model.run({data, vector, vector}); }, "can't be reshaped");
    };
    for (const auto& [data, vector] : {std::pair(x, two), std::pair(wide, one)}) {
        refused({-1, -1, -1}, vector.shape(), data, vector);
        refused({-1, -1, -1}, {-1}, data, vector);
        refused(data.shape(), {-1}, data, vector);
    }
}

TEST(OnnxGroupNormalization, TakesParametersOfOpenShape) {
    const auto x = of({1, 4, 1}, {1, 3, 10, 12});
    for (const auto& shape : {PartialShape{1, 4, 1}, PartialShape{-1, -1, -1}}) {
        const auto old = late("GroupNormalization", 18, shape, {-1});
        expect_near(old.run({x, of({2}, {2, 2}), of({2}, {0, 1})}).at(0),
                    of({1, 4, 1}, {-1, 1, 0, 2}), 1e-6);
        const auto now = late("GroupNormalization", 21, shape, {-1});
        expect_near(now.run({x, of({4}, {2, 2, 2, 2}), of({4}, {0, 1, 2, 3})}).at(0),
                    of({1, 4, 1}, {-1, 2, 1, 4}), 1e-6);
    }
    const auto rows = late("GroupNormalization", 18, {-1, -1}, {-1});
    expect_near(rows.run({of({1, 4}, {1, 3, 10, 12}), of({2}, {2, 2}), of({2}, {0, 1})}).at(0),
                of({1, 4}, {-1, 1, 0, 2}), 1e-6);
}

// Two groups would be of one and a half channels.
TEST(OnnxGroupNormalization, RefusesPartsOfChannels) {
    const Tensor x(ElementType::f32, {2, 3, 4});
    const Tensor two(ElementType::f32, {2}), three(ElementType::f32, {3});
    const auto old = late("GroupNormalization", 18, {-1, -1, -1}, {2});
    expect_error<ModelError>([&] { old.run({x, two, two}); }, "can't be reshaped");
    const auto now = late("GroupNormalization", 21, {-1, -1, -1}, {-1});
    expect_error<ModelError>([&] { now.run({x, three, three}); }, "can't be reshaped");
    expect_error<ModelError>(
        [] {
            late("GroupNormalization", 21, {-1, -1, -1}, {3}).read();
        },
        "expected channels that it divides");
}

TEST(OnnxGroupNormalization, NeedsAParameterForEachGroupOrChannel) {
    const Tensor x(ElementType::f32, {1, 2, 4}), one(ElementType::f32, {1});
    for (const std::int64_t opset : {18, 21}) {
        for (const auto& shape : {PartialShape{1, 2, 4}, PartialShape{-1, -1, -1}}) {
            const auto model = late("GroupNormalization", opset, shape, {-1});
            expect_error<ModelError>([&] { model.run({x, one, one}); }, "can't be reshaped");
        }
    }
}

}  // namespace
}  // namespace rondo::onnx::instance_normalization_test
