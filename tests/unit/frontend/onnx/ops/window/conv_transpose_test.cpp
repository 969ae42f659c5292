// Tests a part of frontend/onnx/ops/window/conv.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"
#include "tests/unit/frontend/onnx/ops/window/late_filters.hpp"

namespace rondo::onnx::conv_transpose_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
using Ints = std::vector<std::int64_t>;

ModelBuilder conv_transpose(const Tensor& x, const Tensor& w, const Tensor& bias = {}) {
    ModelBuilder model(11);
    model.input("x", f32, x.shape()).initializer("w", w).output("y");
    if (bias) model.initializer("b", bias);
    model.node("ConvTranspose", {"x", "w", bias ? "b" : ""}, {"y"}, "up");
    return model;
}

test::NodeBuilder node(ModelBuilder& model) {
    return test::NodeBuilder(*model.graph().mutable_node(0));
}

const Tensor kX = tensor_of<float>({1, 1, 3}, {1, 2, 3});
const Tensor kW = tensor_of<float>({1, 1, 2}, {10, 1});

void expect_row(ModelBuilder model, const std::vector<float>& row) {
    expect_same(model.run({kX}).at(0), tensor_of<float>({1, 1, row.size()}, row));
}

TEST(OnnxConvTranspose, ScattersWithABias) {
    expect_row(conv_transpose(kX, kW), {10, 21, 32, 3});
    expect_row(conv_transpose(kX, kW, tensor_of<float>({1}, {100})), {110, 121, 132, 103});
}

TEST(OnnxConvTranspose, HonoursStridesDilationsPadsAndOutputPadding) {
    auto model = conv_transpose(kX, kW);
    node(model).with("strides", Ints{3}).with("dilations", Ints{2}).with("pads", Ints{1, 0});
    node(model).with("output_padding", Ints{2}).with("kernel_shape", Ints{2});
    // 10 0 1 20 0 2 30 0 3, without the first, and two zeros
    expect_row(std::move(model), {0, 1, 20, 0, 2, 30, 0, 3, 0, 0});
}

TEST(OnnxConvTranspose, HonoursAutoPad) {
    const std::pair<const char*, std::vector<float>> cases[] = {
        {"SAME_UPPER", {10, 21, 32}}, {"SAME_LOWER", {21, 32, 3}}, {"VALID", {10, 21, 32, 3}}};
    for (const auto& [name, expected] : cases) {
        auto model = conv_transpose(kX, kW);
        node(model).with("auto_pad", name);
        expect_row(std::move(model), expected);
    }
    auto sparse = conv_transpose(kX, kW);
    node(sparse).with("auto_pad", "SAME_UPPER").with("strides", Ints{3});
    expect_row(std::move(sparse), {10, 1, 0, 20, 2, 0, 30, 3, 0});
}

TEST(OnnxConvTranspose, HonoursTheOutputShape) {
    const auto with_shape = [](std::int64_t extent, const char* auto_pad) {
        auto model = conv_transpose(kX, kW);
        node(model).with("output_shape", Ints{extent}).with("auto_pad", auto_pad);
        return model;
    };
    expect_row(with_shape(3, "NOTSET"), {21, 32, 3});
    expect_row(with_shape(3, "SAME_UPPER"), {10, 21, 32});
    expect_row(with_shape(2, "SAME_UPPER"), {21, 32});
    expect_row(with_shape(6, "NOTSET"), {10, 21, 32, 3, 0, 0});
}

TEST(OnnxConvTranspose, TakesGroupsAndTwoAxes) {
    const auto x = tensor_of<float>({1, 2, 1, 2}, {1, 2, 3, 4});
    const auto w = tensor_of<float>({2, 1, 2, 1}, {1, 10, 100, 1000});
    auto model = conv_transpose(x, w);
    node(model).with("group", 2);
    expect_same(model.run({x}).at(0),
                tensor_of<float>({1, 2, 2, 2}, {1, 2, 10, 20, 300, 400, 3000, 4000}));
}

TEST(OnnxConvTranspose, TakesOpenShapes) {
    ModelBuilder model(11);
    model.input("x", f32, PartialShape::of_rank(3)).input("w", f32, PartialShape()).output("y");
    model.node("ConvTranspose", {"x", "w"}, {"y"});
    expect_same(model.run({kX, kW}).at(0), tensor_of<float>({1, 1, 4}, {10, 21, 32, 3}));
    node(model).with("auto_pad", "SAME_UPPER");
    expect_error<UnsupportedError>([&] { model.read(); }, "expected known spatial extents");
}

TEST(OnnxConvTranspose, RefusesAttributesThatDontFit) {
    const auto refused = [](const char* name, const Ints& value, const char* what) {
        auto model = conv_transpose(kX, kW);
        node(model).with(name, value);
        expect_error<ModelError>([&] { model.read(); }, what);
    };
    refused("output_shape", {1, 1}, "attribute 'output_shape' has 2 entries; expected 1");
    refused("output_shape", {-1}, "the output shape has an extent -1");
    refused("output_padding", {1, 1}, "attribute 'output_padding' has 2 entries; expected 1");
    refused("output_padding", {-1}, "output_padding[0] is -1");
    refused("strides", {std::int64_t{1} << 62}, "strides[0] is 46116860");
    expect_error<ModelError>([] { conv_transpose(kX, kW, Tensor(f32, {2})).read(); },
                             "B has shape [2]; expected [1]");
}

TEST(OnnxConvTranspose, NeedsABiasForEachChannel) {
    test::expect_a_bias_for_each_channel({"ConvTranspose", "up"}, kX, kW, Tensor(f32, {1, 3, 2}));
}

TEST(OnnxConvTranspose, NeedsTheExtentsOfKernelShape) {
    test::expect_extents_of_kernel_shape({"ConvTranspose", "up"});
}

}  // namespace
}  // namespace rondo::onnx::conv_transpose_test
