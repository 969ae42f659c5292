// Tests a part of frontend/onnx/ops/movement/views.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::squeeze_test {
namespace {

using test::expect_error;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
using Ints = std::vector<std::int64_t>;

// The axes as an attribute before opset 13, else as an initializer.
ModelBuilder model_of(const char* op_type, const Shape& shape, const Ints& axes,
                      std::int64_t opset) {
    ModelBuilder model(opset);
    model.input("x", f32, shape).output("y");
    if (opset < 13) {
        model.node(op_type, {"x"}, {"y"}).with("axes", axes);
    } else {
        model.initializer("axes", tensor_of<std::int64_t>({axes.size()}, axes));
        model.node(op_type, {"x", "axes"}, {"y"});
    }
    return model;
}

Shape run(const char* op_type, const Shape& shape, const Ints& axes, std::int64_t opset) {
    return model_of(op_type, shape, axes, opset).run({Tensor(f32, shape)}).at(0).shape();
}

TEST(OnnxSqueeze, DropsAxes) {
    for (const std::int64_t opset : {7, 11, 13, 21}) {
        EXPECT_EQ(run("Squeeze", {1, 3, 1}, {0}, opset), (Shape{3, 1}));
        EXPECT_EQ(run("Squeeze", {1, 3, 1}, {0, 2}, opset), (Shape{3}));
        EXPECT_EQ(run("Squeeze", {1, 3, 1}, {-1}, opset), (Shape{1, 3}));
    }
}

TEST(OnnxSqueeze, DropsAllOnesWithoutAxes) {
    for (const std::int64_t opset : {7, 13}) {
        ModelBuilder model(opset);
        model.input("x", f32, {1, 3, 1}).output("y").node("Squeeze", {"x"}, {"y"});
        EXPECT_EQ(model.run({Tensor(f32, {1, 3, 1})}).at(0).shape(), Shape{3});
    }
}

TEST(OnnxSqueeze, RefusesGivenButEmptyAxes) {
    expect_error<UnsupportedError>(
        [] {
            model_of("Squeeze", {1, 3}, {}, 13).read();
        },
        "axes are given but empty");
}

TEST(OnnxSqueeze, RefusesAnAttributeSinceOpset13) {
    ModelBuilder model(13);
    model.input("x", f32, {1, 3}).output("y").node("Squeeze", {"x"}, {"y"}).with("axes", Ints{0});
    expect_error<UnsupportedError>([&] { model.read(); }, "attribute 'axes' is not known");
}

TEST(OnnxUnsqueeze, AddsAxes) {
    for (const std::int64_t opset : {7, 11, 13, 21}) {
        EXPECT_EQ(run("Unsqueeze", {3}, {0, 2}, opset), (Shape{1, 3, 1}));
    }
    EXPECT_EQ(run("Unsqueeze", {3}, {-1}, 13), (Shape{3, 1}));
}

TEST(OnnxUnsqueeze, NeedsAxes) {
    for (const std::int64_t opset : {11, 13}) {
        ModelBuilder model(opset);
        model.input("x", f32, {3}).output("y").node("Unsqueeze", {"x"}, {"y"});
        expect_error<ModelError>([&] { model.read(); }, opset == 11 ? "attribute 'axes' is missing"
                                                                    : "input 1 is missing");
    }
}

}  // namespace
}  // namespace rondo::onnx::squeeze_test
