#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"
#include "tests/unit/frontend/onnx/ops/window/late_filters.hpp"

namespace rondo::onnx::conv_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
using Ints = std::vector<std::int64_t>;

// y [1,1,...] of x [1,1,...] and w [1,1,...].
ModelBuilder conv(const Tensor& x, const Tensor& w, const Tensor& bias = {}) {
    ModelBuilder model(11);
    model.input("x", f32, x.shape()).initializer("w", w).output("y");
    if (bias) model.initializer("b", bias);
    model.node("Conv", {"x", "w", bias ? "b" : ""}, {"y"}, "conv");
    return model;
}

test::NodeBuilder node(ModelBuilder& model) {
    return test::NodeBuilder(*model.graph().mutable_node(0));
}

const Tensor kX = tensor_of<float>({1, 1, 4}, {1, 2, 3, 4});
const Tensor kW = tensor_of<float>({1, 1, 2}, {10, 1});

TEST(OnnxConv, Correlates) {
    expect_same(conv(kX, kW).run({kX}).at(0), tensor_of<float>({1, 1, 3}, {12, 23, 34}));
}

TEST(OnnxConv, AddsABiasAFilter) {
    const auto w = tensor_of<float>({2, 1, 1}, {1, 10});
    expect_same(conv(kX, w, tensor_of<float>({2}, {0.5f, -1})).run({kX}).at(0),
                tensor_of<float>({1, 2, 4}, {1.5f, 2.5f, 3.5f, 4.5f, 9, 19, 29, 39}));
}

TEST(OnnxConv, HonoursPadsStridesAndDilations) {
    auto model = conv(kX, kW);
    node(model).with("pads", Ints{2, 1}).with("strides", Ints{2}).with("dilations", Ints{2});
    node(model).with("kernel_shape", Ints{2}).with("group", 1).with("auto_pad", "NOTSET");
    // 0 0 1 2 3 4 0: pairs two apart, every second
    expect_same(model.run({kX}).at(0), tensor_of<float>({1, 1, 3}, {1, 13, 30}));
}

TEST(OnnxConv, HonoursAutoPad) {
    const std::pair<const char*, std::vector<float>> cases[] = {
        {"SAME_UPPER", {12, 23, 34, 40}}, {"SAME_LOWER", {1, 12, 23, 34}}, {"VALID", {12, 23, 34}}};
    for (const auto& [name, expected] : cases) {
        auto model = conv(kX, kW);
        node(model).with("auto_pad", name);
        expect_same(model.run({kX}).at(0), tensor_of<float>({1, 1, expected.size()}, expected));
    }
}

// Pads come as begins of all axes, then ends.
TEST(OnnxConv, HonoursTheOrderOfPads) {
    const auto x = tensor_of<float>({1, 1, 1, 1}, {5});
    const auto w = tensor_of<float>({1, 1, 1, 1}, {1});
    auto model = conv(x, w);
    node(model).with("pads", Ints{1, 0, 0, 2});
    expect_same(model.run({x}).at(0), tensor_of<float>({1, 1, 2, 3}, {0, 0, 0, 5, 0, 0}));
}

TEST(OnnxConv, TakesThreeAxes) {
    const auto x = tensor_of<float>({1, 1, 1, 1, 2}, {1, 2});
    EXPECT_EQ(conv(x, x).run({x}).at(0).data<float>()[0], 5);
}

TEST(OnnxConv, TakesFiltersAtRunTimeWithOpenShapes) {
    ModelBuilder model(11);
    model.input("x", f32, PartialShape::of_rank(3)).input("w", f32, PartialShape()).output("y");
    model.node("Conv", {"x", "w"}, {"y"});
    expect_same(model.run({kX, kW}).at(0), tensor_of<float>({1, 1, 3}, {12, 23, 34}));
}

// Each group of filters sees its channels alone.
TEST(OnnxConv, TakesGroups) {
    const auto x = tensor_of<float>({1, 2, 3}, {1, 2, 3, 4, 5, 6});
    const auto w = tensor_of<float>({4, 1, 2}, {1, 0, 0, 1, 10, 1, 1, 10});
    const auto bias = tensor_of<float>({4}, {0, 0, 0, 100});
    auto model = conv(x, w, bias);
    node(model).with("group", 2);
    expect_same(model.run({x}).at(0), tensor_of<float>({1, 4, 2}, {1, 2, 2, 3, 45, 56, 154, 165}));
}

TEST(OnnxConv, TakesGroupsOfFiltersWithOpenShapes) {
    const auto x = tensor_of<float>({1, 2, 3}, {1, 2, 3, 4, 5, 6});
    const auto w = tensor_of<float>({2, 1, 2}, {1, 0, 10, 1});
    for (const PartialShape& shape : {PartialShape(), PartialShape::of_rank(3),
                                      PartialShape({-1, 1, 2}), PartialShape({2, -1, 2})}) {
        ModelBuilder model(11);
        model.input("x", f32, PartialShape::of_rank(3)).input("w", f32, shape).output("y");
        model.node("Conv", {"x", "w"}, {"y"});
        node(model).with("group", 2);
        expect_same(model.run({x, w}).at(0), tensor_of<float>({1, 2, 2}, {1, 2, 45, 56}));
    }
}

TEST(OnnxConv, RefusesGroupsThatDontFit) {
    auto model = conv(kX, kW);
    node(model).with("group", 2);
    expect_error<ModelError>([&] { model.read(); },
                             "W has shape [1,1,2] and 'group' is 2; expected an extent of axis 0");
    auto none = conv(kX, kW);
    node(none).with("group", 0);
    expect_error<ModelError>([&] { none.read(); },
                             "node 'conv' (Conv): attribute 'group' is 0; expected 1 or more");
    const auto w = tensor_of<float>({2, 1, 1}, {1, 10});
    auto channels = conv(kX, w);
    node(channels).with("group", 2);
    expect_error<ModelError>([&] { channels.read(); }, "expected 2 channels");
}

TEST(OnnxConv, RefusesAttributesThatDontFit) {
    const auto refused = [](const char* name, const auto& value, const char* what) {
        auto model = conv(kX, kW);
        node(model).with(name, value);
        expect_error<ModelError>([&] { model.read(); }, what);
    };
    refused("kernel_shape", Ints{3}, "W has shape [1,1,2]; expected what kernel_shape says");
    refused("kernel_shape", Ints{2, 2}, "W has shape [1,1,2]; expected what kernel_shape says");
    refused("pads", Ints{1}, "attribute 'pads' has 1 entries; expected 2");
    refused("strides", Ints{1, 1}, "attribute 'strides' has 2 entries; expected 1");
    refused("dilations", Ints{}, "attribute 'dilations' has 0 entries; expected 1");
    refused("strides", Ints{0}, "node 'conv' (Conv, as Convolution): ");
    refused("auto_pad", "SAME", "attribute 'auto_pad' is 'SAME'; expected 'NOTSET'");
    auto both = conv(kX, kW);
    node(both).with("auto_pad", "VALID").with("pads", Ints{1, 1});
    expect_error<ModelError>([&] { both.read(); }, "both pads and auto_pad are given");
}

TEST(OnnxConv, RefusesShapesThatDontFit) {
    expect_error<ModelError>([] { conv(kX, kW, Tensor(f32, {2})).read(); },
                             "B has shape [2]; expected [1]");
    const Tensor flat(f32, {1, 4});
    expect_error<ModelError>([&] { conv(kX, flat).read(); }, "W has shape [1,4]; expected");
    expect_error<ModelError>([&] { conv(flat, kW).read(); },
                             "an input has shape [1,4]; expected rank 3 or more");
    ModelBuilder model(11);
    model.input("x", f32, PartialShape()).input("w", f32, PartialShape()).output("y");
    model.node("Conv", {"x", "w"}, {"y"});
    expect_error<UnsupportedError>([&] { model.read(); },
                                   "neither the rank of X nor that of W is known");
}

TEST(OnnxConv, NeedsABiasForEachChannel) {
    test::expect_a_bias_for_each_channel({"Conv", "conv"}, kX, kW, Tensor(f32, {3, 1, 2}));
}

TEST(OnnxConv, NeedsTheExtentsOfKernelShape) {
    test::expect_extents_of_kernel_shape({"Conv", "conv"});
}

}  // namespace
}  // namespace rondo::onnx::conv_test
