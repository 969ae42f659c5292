// Tests a part of frontend/onnx/ops/window/grid.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::grid_sample_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::expect_same;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

const Tensor kGrid = tensor_of<float>({1, 1, 2, 2}, {-0.5F, -1, 1.5F, -1});

ModelBuilder model_of(std::int64_t opset, const std::string& mode = "",
                      ElementType type = ElementType::f32) {
    ModelBuilder model(opset);
    model.input("x", type, {1, 1, 1, 3}).input("grid", ElementType::f32, {1, 1, 2, 2}).output("y");
    auto node = model.node("GridSample", {"x", "grid"}, {"y"});
    if (!mode.empty()) node.with("mode", mode);
    node.with("align_corners", 1);
    return model;
}

Tensor sampled(const ModelBuilder& model) {
    return model.run({tensor_of<float>({1, 1, 1, 3}, {1, 2, 3}), kGrid}).at(0);
}

TEST(OnnxGridSample, HasOldAndNewNamesOfModes) {
    const Tensor linear = tensor_of<float>({1, 1, 1, 2}, {1.5F, 1.5F});
    expect_near(sampled(model_of(16)), linear, 1e-6);
    expect_near(sampled(model_of(16, "bilinear")), linear, 1e-6);
    expect_near(sampled(model_of(20)), linear, 1e-6);
    expect_near(sampled(model_of(22, "linear")), linear, 1e-6);
    const Tensor nearest = tensor_of<float>({1, 1, 1, 2}, {1, 3});
    expect_same(sampled(model_of(16, "nearest")), nearest);
    EXPECT_EQ(sampled(model_of(16, "bicubic")).size(), 2U);
    EXPECT_EQ(sampled(model_of(20, "cubic")).size(), 2U);
    expect_error<ModelError>([] { model_of(16, "linear").read(); },
                             "expected 'bilinear', 'nearest' or 'bicubic'");
    expect_error<ModelError>([] { model_of(20, "bicubic").read(); },
                             "expected 'linear', 'nearest' or 'cubic'");
}

TEST(OnnxGridSample, ReadsThePadding) {
    auto model = model_of(20);
    NodeBuilder(*model.graph().mutable_node(0)).with("padding_mode", "border");
    expect_near(sampled(model), tensor_of<float>({1, 1, 1, 2}, {1.5F, 3}), 1e-6);
    auto wrong = model_of(20);
    NodeBuilder(*wrong.graph().mutable_node(0)).with("padding_mode", "wrap");
    expect_error<ModelError>([&] { wrong.read(); }, "'padding_mode' is 'wrap'");
}

TEST(OnnxGridSample, CutsIntegers) {
    const Tensor x = tensor_of<std::int32_t>({1, 1, 1, 3}, {1, 2, 3});
    expect_same(model_of(20, "linear", ElementType::i32).run({x, kGrid}).at(0),
                tensor_of<std::int32_t>({1, 1, 1, 2}, {1, 1}));
    expect_same(model_of(20, "nearest", ElementType::i32).run({x, kGrid}).at(0),
                tensor_of<std::int32_t>({1, 1, 1, 2}, {1, 3}));
}

}  // namespace
}  // namespace rondo::onnx::grid_sample_test
