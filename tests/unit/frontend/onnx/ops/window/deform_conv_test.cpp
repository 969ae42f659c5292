// Tests a part of frontend/onnx/ops/window/conv.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::deform_conv_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;

TEST(OnnxDeformConv, TakesBiasAndMask) {
    const std::vector<Tensor> inputs{
        tensor_of<float>({1, 1, 2, 2}, {1, 2, 3, 4}), tensor_of<float>({1, 1, 1, 1}, {10}),
        tensor_of<float>({1, 2, 2, 2}, {0.5F, 0, 0.5F, 0, 0, -0.5F, 0, 2}),
        tensor_of<float>({1}, {1}), tensor_of<float>({1, 1, 2, 2}, {1, 2, 0, 4})};
    for (const std::int64_t opset : {19, 22}) {
        ModelBuilder model(opset);
        model.input("x", f32, {1, 1, 2, 2}).input("w", f32, {1, 1, 1, 1}).output("y");
        model.input("o", f32, {1, 2, 2, 2}).input("b", f32, {1}).input("m", f32, {1, 1, 2, 2});
        model.node("DeformConv", {"x", "w", "o", "b", "m"}, {"y"});
        expect_near(model.run(inputs).at(0), tensor_of<float>({1, 1, 2, 2}, {21, 31, 1, 1}), 1e-5);
        NodeBuilder(*model.graph().mutable_node(0)).with("offset_group", 2);
        expect_error<ModelError>([&] { model.read(); }, "a multiple of deformable_group 2");
    }
    ModelBuilder line(19);
    line.input("x", f32, {1, 1, 2}).input("w", f32, {1, 1, 1}).input("o", f32, {1, 1, 2});
    line.output("y").node("DeformConv", {"x", "w", "o"}, {"y"});
    expect_error<UnsupportedError>([&] { line.read(); }, "expected two spatial axes");
}

}  // namespace
}  // namespace rondo::onnx::deform_conv_test
