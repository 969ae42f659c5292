// Tests a part of frontend/onnx/ops/window/grid.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::roi_align_test {
namespace {

using test::expect_error;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;
using Ints = std::vector<std::int64_t>;

Tensor ints(const Ints& values) { return tensor_of<std::int64_t>({values.size()}, values); }

NodeBuilder node(ModelBuilder& model) { return NodeBuilder(*model.graph().mutable_node(0)); }

ModelBuilder model_of(std::int64_t opset) {
    ModelBuilder model(opset);
    model.input("x", f32, {1, 1, 4, 6}).input("r", f32, {1, 4}).input("i", i64, {1}).output("y");
    model.node("RoiAlign", {"x", "r", "i"}, {"y"});
    return model;
}

float sampled(const ModelBuilder& model) {
    std::vector<float> picture;
    for (int i = 0; i < 24; ++i) picture.push_back(static_cast<float>(10 * (i / 6) + i % 6));
    return model
        .run({tensor_of<float>({1, 1, 4, 6}, picture), tensor_of<float>({1, 4}, {0, 0, 4, 2}),
              ints({0})})
        .at(0)
        .data<float>()[0];
}

TEST(OnnxRoiAlign, MovesByHalfAnElementSinceOpset16) {
    EXPECT_NEAR(sampled(model_of(10)), 12, 1e-5);
    EXPECT_NEAR(sampled(model_of(16)), 6.5, 1e-5);
    auto model = model_of(16);
    node(model).with("sampling_ratio", 1);
    EXPECT_NEAR(sampled(model), 6.5, 1e-5);
    node(model).with("coordinate_transformation_mode", "output_half_pixel");
    EXPECT_NEAR(sampled(model), 12, 1e-5);
}

TEST(OnnxRoiAlign, ReadsItsAttributes) {
    auto model = model_of(10);
    node(model).with("spatial_scale", 0.5F).with("output_width", 2).with("sampling_ratio", 1);
    EXPECT_NEAR(sampled(model), 5 + 0.5, 1e-5);
    node(model).with("mode", "max");  // half of half of the element 11
    EXPECT_NEAR(sampled(model), 11 / 4.0, 1e-5);
    auto wrong = model_of(10);
    node(wrong).with("mode", "sum");
    expect_error<ModelError>([&] { wrong.read(); }, "'mode' is 'sum'; expected 'avg' or 'max'");
    auto coordinates = model_of(16);
    node(coordinates).with("coordinate_transformation_mode", "asymmetric");
    expect_error<ModelError>([&] { coordinates.read(); }, "expected 'half_pixel' or");
}

}  // namespace
}  // namespace rondo::onnx::roi_align_test
