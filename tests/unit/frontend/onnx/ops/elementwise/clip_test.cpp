#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx {
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

}  // namespace
}  // namespace rondo::onnx
