#include <gtest/gtest.h>

#include "core/ops/window/samplers.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::resize_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
using Ints = std::vector<std::int64_t>;
using Floats = std::vector<float>;

const Tensor kX = tensor_of<float>({1, 4}, {1, 2, 3, 4});

Tensor floats(const Floats& values) { return tensor_of<float>({values.size()}, values); }
Tensor ints(const Ints& values) { return tensor_of<std::int64_t>({values.size()}, values); }

// `inputs` after x are initializers; empty handles are omitted.
ModelBuilder model_of(const char* op, std::int64_t opset, const std::vector<Tensor>& inputs,
                      const PartialShape& shape = {1, 4}) {
    ModelBuilder model(opset);
    model.input("x", f32, shape).output("y");
    std::vector<std::string> names{"x"};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        names.push_back(inputs[i] ? "i" + std::to_string(i) : "");
        if (inputs[i]) model.initializer(names.back(), inputs[i]);
    }
    model.node(op, names, {"y"});
    return model;
}

NodeBuilder node(ModelBuilder& model) { return NodeBuilder(*model.graph().mutable_node(0)); }

const ops::Interpolate& interpolate(const Graph& graph) {
    return dynamic_cast<const ops::Interpolate&>(graph.results().at(0)->input(0).node());
}

void expect_row(const ModelBuilder& model, const Floats& values) {
    expect_near(model.run({kX}).at(0), tensor_of<float>({1, values.size()}, values), 1e-6);
}

TEST(OnnxResize, TakesScalesBeforeOpset11) {
    auto model = model_of("Resize", 10, {floats({1, 0.6F})});
    expect_row(model, {1, 3});  // places 0 and 1.67, rounded up
    node(model).with("mode", "linear");
    expect_row(model, {1, 2 + 2.0F / 3});
    expect_row(model_of("Resize", 10, {floats({1, 1.5F})}), {1, 1, 2, 3, 3, 4});
    node(model).with("nearest_mode", "floor");
    expect_error<UnsupportedError>([&] { model.read(); }, "nearest_mode");
}

TEST(OnnxResize, TakesScalesOrSizesSinceOpset11) {
    const Tensor none, roi = floats({});
    for (const std::int64_t opset : {11, 13, 18, 19}) {
        expect_row(model_of("Resize", opset, {roi, floats({1, 0.5F})}), {1, 3});
        expect_row(model_of("Resize", opset, {roi, floats({}), ints({1, 2})}), {1, 3});
        expect_row(model_of("Resize", opset, {none, none, ints({1, 2})}), {1, 3});
        auto model = model_of("Resize", opset, {none, floats({1, 0.5F})});
        node(model).with("mode", "linear").with("coordinate_transformation_mode", "align_corners");
        expect_row(model, {1, 4});
        auto cubic = model_of("Resize", opset, {none, floats({1, 0.25F})});
        node(cubic).with("mode", "cubic").with("cubic_coeff_a", -0.5F);
        expect_row(cubic, {2.5F});
    }
}

TEST(OnnxResize, StaysStandardWhereThatSaysTheSame) {
    const Tensor none;
    auto model = model_of("Resize", 13, {none, floats({1, 2})}, {1, -1});
    node(model).with("mode", "linear").with("coordinate_transformation_mode", "align_corners");
    EXPECT_EQ(interpolate(*model.read()).op_type().opset, 11);
    EXPECT_EQ(to_string(interpolate(*model.read()).input(2).shape()), "[1]");  // axis 1 alone
    auto half = model_of("Resize", 13, {none, floats({1, 1.5F})}, {1, -1});
    node(half).with("mode", "linear").with("coordinate_transformation_mode", "align_corners");
    EXPECT_EQ(interpolate(*half.read()).op_type().opset, 0);
    auto filtered = model_of("Resize", 18, {none, floats({1, 0.5F})});
    node(filtered).with("mode", "linear").with("antialias", 1);
    EXPECT_EQ(interpolate(*filtered.read()).op_type().opset, 0);
    node(filtered).with("exclude_outside", 1);
    EXPECT_EQ(interpolate(*filtered.read()).op_type().opset, 11);
    expect_row(filtered, {12 / 7.0F, 23 / 7.0F});
}

TEST(OnnxResize, ResizesNamedAxesSinceOpset18) {
    const Tensor none;
    auto model = model_of("Resize", 18, {none, none, ints({8})});
    node(model).with("axes", Ints{-1});
    expect_row(model, {1, 1, 2, 2, 3, 3, 4, 4});
    for (const auto& [policy, extents] : std::vector<std::pair<std::string, std::string>>{
             {"not_larger", "[2,8]"}, {"not_smaller", "[3,12]"}, {"stretch", "[3,8]"}}) {
        auto both = model_of("Resize", 18, {none, none, ints({3, 8})});
        node(both).with("keep_aspect_ratio_policy", policy);
        EXPECT_EQ(to_string(both.run({kX}).at(0).shape()), extents);
    }
    auto old = model_of("Resize", 13, {none, none, ints({1, 8})});
    node(old).with("axes", Ints{-1});
    expect_error<UnsupportedError>([&] { old.read(); }, "axes");
}

TEST(OnnxResize, Crops) {
    const Tensor none;
    auto model = model_of("Resize", 13, {floats({0, 0.5F, 1, 1.5F}), none, ints({1, 3})});
    node(model)
        .with("mode", "linear")
        .with("coordinate_transformation_mode", "tf_crop_and_resize")
        .with("extrapolation_value", 9.0F);
    expect_row(model, {2.5F, 4, 9});
    auto named = model_of("Resize", 18, {floats({0.5F, 1.5F}), none, ints({3})});
    node(named)
        .with("mode", "linear")
        .with("axes", Ints{1})
        .with("coordinate_transformation_mode", "tf_crop_and_resize");
    expect_row(named, {2.5F, 4, 0});
    auto missing = model_of("Resize", 13, {none, none, ints({1, 3})});
    node(missing).with("coordinate_transformation_mode", "tf_crop_and_resize");
    expect_error<ModelError>([&] { missing.read(); }, "tf_crop_and_resize needs a roi");
}

TEST(OnnxResize, ReadsScalesAndSizesAtRunTime) {
    ModelBuilder model(13);
    model.input("x", f32, {1, -1}).input("scales", f32, {2}).output("y");
    model.node("Resize", {"x", "", "scales"}, {"y"});
    expect_near(model.run({kX, floats({1, 0.5F})}).at(0), tensor_of<float>({1, 2}, {1, 3}), 0);
    ModelBuilder sized(13);
    sized.input("x", f32, {1, -1}).input("sizes", ElementType::i64, {2}).output("y");
    sized.node("Resize", {"x", "", "", "sizes"}, {"y"});
    expect_near(sized.run({kX, ints({1, 2})}).at(0), tensor_of<float>({1, 2}, {1, 3}), 0);
}

// As onnxruntime 1.32 computes what tf2onnx writes in each opset; ONNX has it up to opset 12.
TEST(OnnxResize, KnowsHalfPixelsOfTensorFlow) {
    for (const std::int64_t opset : {11, 13, 18}) {
        auto model = model_of("Resize", opset, {floats({}), floats({1, 1.6F})});
        node(model).with("coordinate_transformation_mode", "tf_half_pixel_for_nn");
        node(model).with("nearest_mode", "floor");
        expect_row(model, {1, 1, 2, 3, 3, 4});
    }
}

TEST(OnnxResize, RefusesWrongParts) {
    const Tensor none;
    const auto refused = [&](std::int64_t opset, const char* name, const char* value,
                             const char* text) {
        auto model = model_of("Resize", opset, {none, floats({1, 2})});
        node(model).with(name, value);
        expect_error<ModelError>([&] { model.read(); }, text);
    };
    const char* const kMode = "coordinate_transformation_mode";
    refused(13, "mode", "area", "attribute 'mode' is 'area'");
    refused(13, "nearest_mode", "simple", "attribute 'nearest_mode' is 'simple'");
    refused(18, kMode, "half_pixel_symmetric", "expected one that this opset has");
    refused(19, kMode, "align_corners_scaled", "expected one that this opset has");
    refused(18, "keep_aspect_ratio_policy", "squeeze", "is 'squeeze'");
    expect_error<ModelError>([&] { model_of("Resize", 13, {none}).read(); },
                             "neither scales nor sizes");
    expect_error<ModelError>(
        [&] {
            model_of("Resize", 13, {none, floats({1, 2}), ints({1, 2})}).read();
        },
        "both scales and sizes");
}

TEST(OnnxUpsample, EveryVersion) {
    const Floats doubled{1, 1, 2, 2, 3, 3, 4, 4};
    expect_row(model_of("Upsample", 9, {floats({1, 2})}), doubled);
    auto model = model_of("Upsample", 7, {});
    expect_error<ModelError>([&] { model.read(); }, "attribute 'scales' is missing");
    node(model).with("scales", Floats{1, 2});
    expect_row(model, doubled);
    node(model).with("mode", "linear");
    expect_row(model, {1, 1.5F, 2, 2.5F, 3, 3.5F, 4, 4});
    auto first = model_of("Upsample", 1, {}, {1, 1, 1, 4});
    node(first).with("height_scale", 2.0F).with("width_scale", 1.0F);
    expect_near(first.run({kX.reshaped({1, 1, 1, 4})}).at(0),
                tensor_of<float>({1, 1, 2, 4}, {1, 2, 3, 4, 1, 2, 3, 4}), 0);
    node(first).with("mode", "bilinear");
    expect_near(first.run({kX.reshaped({1, 1, 1, 4})}).at(0),
                tensor_of<float>({1, 1, 2, 4}, {1, 2, 3, 4, 1, 2, 3, 4}), 0);
}

}  // namespace
}  // namespace rondo::onnx::resize_test
