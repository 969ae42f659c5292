// Tests a part of frontend/onnx/ops/elementwise/elementwise_ops.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::clip_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

const Tensor kX = tensor_of<float>({5}, {-kInfinity, -2, 0.5f, 3, kNan});

// Bounds of NaN are absent.
Tensor clip(std::int64_t opset, float min, float max) {
    ModelBuilder model(opset);
    model.input("x", ElementType::f32, {5}).output("y");
    std::vector<std::string> inputs = {"x", "", ""};
    if (opset >= 11) {
        if (!std::isnan(min)) model.initializer(inputs[1] = "min", test::scalar_of(min));
        if (!std::isnan(max)) model.initializer(inputs[2] = "max", test::scalar_of(max));
        model.node("Clip", inputs, {"y"});
    } else {
        auto node = model.node("Clip", {"x"}, {"y"});
        if (!std::isnan(min)) node.with("min", min);
        if (!std::isnan(max)) node.with("max", max);
    }
    return model.run({kX}).at(0);
}

TEST(OnnxClip, BoundsValues) {
    for (const std::int64_t opset : {6, 11, 13}) {
        expect_same(clip(opset, -1, 2), tensor_of<float>({5}, {-1, -1, 0.5f, 2, kNan}));
        expect_same(clip(opset, -1, kNan), tensor_of<float>({5}, {-1, -1, 0.5f, 3, kNan}));
        expect_same(clip(opset, kNan, 2), tensor_of<float>({5}, {-kInfinity, -2, 0.5f, 2, kNan}));
        expect_same(clip(opset, kNan, kNan), kX);
        expect_same(clip(opset, 2, 1), tensor_of<float>({5}, {1, 1, 1, 1, kNan}));
    }
}

ModelBuilder clip_above(const PartialShape& x, const PartialShape& min) {
    ModelBuilder model(13);
    model.input("x", ElementType::f32, x).input("min", ElementType::f32, min).output("y");
    model.node("Clip", {"x", "min"}, {"y"}, "clip");
    return model;
}

TEST(OnnxClip, TakesBoundsOfOneElement) {
    const auto x = tensor_of<float>({3}, {-1, 0, 1}), y = tensor_of<float>({3}, {0.5f, 0.5f, 1});
    const auto vector = tensor_of<float>({1}, {0.5f});
    for (const auto& shape : {PartialShape{3}, PartialShape{-1}, PartialShape()}) {
        expect_same(clip_above(shape, Shape{}).run({x, test::scalar_of(0.5f)}).at(0), y);
        for (const auto& min : {PartialShape{1}, PartialShape{-1}, PartialShape()}) {
            expect_same(clip_above(shape, min).run({x, vector}).at(0), y);
        }
    }
    // A vector of one element gives a scalar no axis.
    const auto zero = test::scalar_of(0.0f);
    for (const auto& shape : {PartialShape(Shape{}), PartialShape()}) {
        expect_same(clip_above(shape, {1}).run({zero, vector}).at(0), test::scalar_of(0.5f));
    }
    EXPECT_EQ(clip_above({3}, {1}).read()->results()[0]->input(0).node().input(1).node().name(),
              "min");
}

TEST(OnnxClip, RefusesBoundsOfMoreElements) {
    expect_error<ModelError>([] { clip_above({1}, {3}).read(); },
                             "node 'clip' (Clip): min has shape [3]; expected a single element");
    expect_error<ModelError>([] { clip_above({1}, {1, 1}).read(); }, "min has shape [1,1]");
    const std::vector<Tensor> inputs{Tensor(ElementType::f32, {1}), Tensor(ElementType::f32, {3})};
    for (const auto& min : {PartialShape{-1}, PartialShape()}) {
        expect_error<ModelError>([&] { clip_above({1}, min).run(inputs); }, "can't be reshaped");
    }
}

}  // namespace
}  // namespace rondo::onnx::clip_test
