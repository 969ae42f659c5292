#include "core/ops/window/samplers.hpp"

#include <gtest/gtest.h>

#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::interpolate_test {
namespace {

using namespace test;  // NOLINT: tests only
using ops::CoordinateMode;
using ops::ExtentRule;
using ops::InterpolateAttributes;
using ops::InterpolateMode;
using ops::NearestMode;

Tensor vector_of(const std::vector<float>& values) { return floats({values.size()}, values); }

InterpolateAttributes scaled(InterpolateMode mode,
                             CoordinateMode coordinates = CoordinateMode::half_pixel) {
    InterpolateAttributes attributes;
    attributes.rule.mode = mode;
    attributes.rule.coordinates = coordinates;
    attributes.extents = ExtentRule::scales;
    return attributes;
}

std::string shape_after(std::string_view data, const Output& target, const Output& axes,
                        ExtentRule extents) {
    InterpolateAttributes attributes;
    attributes.extents = extents;
    return inferred(
        *named<ops::Interpolate>(std::vector<Output>{parameter(data), target, axes}, attributes));
}

// One axis.
Tensor resized(const std::vector<float>& data, float scale,
               const InterpolateAttributes& attributes) {
    const ops::Interpolate op({}, attributes);
    return evaluate_one(op, {vector_of(data), vector_of({scale}), int_vector({0})});
}

TEST(Interpolate, IsRondosOwnWhereOpenVinoHasNoSuchMode) {
    const auto opset = [](const InterpolateAttributes& attributes) {
        return ops::Interpolate({}, attributes).op_type().opset;
    };
    EXPECT_EQ(opset(scaled(InterpolateMode::cubic)), 11);
    for (const auto mode :
         {CoordinateMode::half_pixel_symmetric, CoordinateMode::align_corners_scaled,
          CoordinateMode::tf_crop_and_resize}) {
        EXPECT_EQ(opset(scaled(InterpolateMode::nearest, mode)), 0);
    }
    auto attributes = scaled(InterpolateMode::linear);
    attributes.rule.antialias = true;
    EXPECT_EQ(opset(attributes), 11);
    attributes.rule.mode = InterpolateMode::linear_onnx;
    EXPECT_EQ(opset(attributes), 0);
    attributes.rule.antialias = false;
    attributes.rule.exclude_outside = true;
    EXPECT_EQ(opset(attributes), 0);
    InterpolateAttributes bounded;
    bounded.extents = ExtentRule::not_larger;
    EXPECT_EQ(opset(bounded), 0);
    EXPECT_EQ(ops::find_op("Interpolate", "opset15")->type->opset, 11);
}

TEST(Interpolate, FindsTheExtents) {
    const Output axes = ints({1, -1});
    EXPECT_EQ(shape_after("2,3,4,5", ints({6, 7}), axes, ExtentRule::sizes), "f32[2,6,4,7]");
    EXPECT_EQ(shape_after("?,?,?", ints({6, 7}), axes, ExtentRule::sizes), "f32[?,6,7]");
    const Output scales = constant(vector_of({2, 0.6F}));
    EXPECT_EQ(shape_after("2,3,4,5", scales, axes, ExtentRule::scales), "f32[2,6,4,3]");
    EXPECT_EQ(shape_after("2,3..4,?", scales, axes, ExtentRule::scales), "f32[2,6..8,?]");
    EXPECT_EQ(shape_after("2,3,4", parameter("2"), axes, ExtentRule::scales), "f32[2,?,?]");
    EXPECT_EQ(shape_after("2,3,4", scales, unknown_ints("2"), ExtentRule::scales), "f32[?,?,?]");
    EXPECT_EQ(shape_after("...", scales, axes, ExtentRule::scales), "f32[...]");
    EXPECT_EQ(shape_after("0,3,4", ints({0, 7}), axes, ExtentRule::sizes), "f32[0,0,7]");
    // 7 / 4 and 8 / 2: the least is 1.75, the greatest 4.
    EXPECT_EQ(shape_after("4,1,2", ints({7, 8}), ints({0, 2}), ExtentRule::not_larger),
              "f32[7,1,4]");
    EXPECT_EQ(shape_after("4,1,2", ints({7, 8}), ints({0, 2}), ExtentRule::not_smaller),
              "f32[16,1,8]");
    InterpolateAttributes attributes;
    const std::vector<Output> all{parameter("..."), ints({6, 7})};
    EXPECT_EQ(inferred(*named<ops::Interpolate>(all, attributes)), "f32[?,?]");
    attributes.pads_begin = {1};
    attributes.pads_end = {0, 2};
    const std::vector<Output> padded{parameter("2,3,4"), ints({9}), ints({2})};
    EXPECT_EQ(inferred(*named<ops::Interpolate>(padded, attributes)), "f32[3,5,9]");
}

TEST(Interpolate, RefusesWrongInputs) {
    const auto refused = [](std::string_view data, const Output& target, const Output& axes,
                            ExtentRule extents, std::string_view message) {
        expect_error<ModelError>([&] { shape_after(data, target, axes, extents); }, message);
    };
    const Output axis = ints({0});
    const auto scale = [](float value) { return constant(vector_of({value})); };
    refused("4", scale(0), axis, ExtentRule::scales,
            "scales hold 0.000000; expected numbers above");
    refused("4", scale(1e38F), axis, ExtentRule::scales, "is too large");
    refused("4", ints({-1}), axis, ExtentRule::sizes, "sizes hold -1; expected extents");
    refused("0", ints({3}), axis, ExtentRule::sizes, "an axis without elements can't get 3");
    refused("4", ints({3, 4}), axis, ExtentRule::sizes, "sizes has 2 elements; expected 1");
    refused("4", ints({3}), ints({1}), ExtentRule::sizes, "axis 1 is out of range for rank 1");
    refused("4,4", ints({3, 3}), ints({1, -1}), ExtentRule::sizes, "twice");
    expect_error<UnsupportedError>([&] { shape_after("4", scale(2), axis, ExtentRule::sizes); },
                                   "the sizes are f32");
    InterpolateAttributes attributes = scaled(InterpolateMode::linear_onnx);
    expect_error<UnsupportedError>(
        [&] {
            named<ops::Interpolate>(
                std::vector<Output>{parameter("4", ElementType::boolean), scale(2), axis},
                attributes);
        },
        "the data is boolean");
    attributes.pads_begin = {-1};
    expect_error<ModelError>(
        [&] {
            named<ops::Interpolate>(std::vector<Output>{parameter("4"), scale(2), axis},
                                    attributes);
        },
        "a pad is -1; expected 0 or more");
    attributes = scaled(InterpolateMode::nearest, CoordinateMode::tf_crop_and_resize);
    expect_error<ModelError>(
        [&] {
            named<ops::Interpolate>(std::vector<Output>{parameter("4"), scale(2), axis},
                                    attributes);
        },
        "got 3 inputs; expected 4");
    expect_error<ModelError>(
        [&] {
            named<ops::Interpolate>(
                std::vector<Output>{parameter("4"), scale(2), axis, parameter("3")}, attributes);
        },
        "roi has 3 elements; expected 2");
}

TEST(Interpolate, TakesTheNearestElement) {
    auto attributes = scaled(InterpolateMode::nearest);
    // Places -0.25, 0.25, 0.75, 1.25 of the data.
    expect_same(resized({1, 2}, 2, attributes), vector_of({1, 1, 2, 2}));
    attributes.rule.nearest = NearestMode::ceil;
    expect_same(resized({1, 2}, 2, attributes), vector_of({1, 2, 2, 2}));
    attributes.rule.nearest = NearestMode::floor;
    expect_same(resized({1, 2}, 2, attributes), vector_of({1, 1, 1, 2}));
    // Places 0.5 and 2.5 lie between two elements.
    attributes.rule.nearest = NearestMode::round_prefer_floor;
    expect_same(resized({1, 2, 3, 4}, 0.5F, attributes), vector_of({1, 3}));
    attributes.rule.nearest = NearestMode::round_prefer_ceil;
    expect_same(resized({1, 2, 3, 4}, 0.5F, attributes), vector_of({2, 4}));
    // Places 0 and 1.67.
    attributes = scaled(InterpolateMode::nearest, CoordinateMode::asymmetric);
    attributes.rule.nearest = NearestMode::simple;
    expect_same(resized({1, 2, 3, 4}, 0.6F, attributes), vector_of({1, 3}));
    expect_same(resized({1, 2}, 1.5F, attributes), vector_of({1, 1, 2}));
    attributes = scaled(InterpolateMode::nearest, CoordinateMode::tf_half_pixel_for_nn);
    attributes.rule.nearest = NearestMode::floor;
    expect_same(resized({1, 2, 3, 4}, 0.5F, attributes), vector_of({2, 4}));
}

// As onnxruntime 1.32 and OpenVINO 2026.4: the formula would move each element by half a place.
TEST(Interpolate, AnAxisThatKeepsItsExtentKeepsItsElements) {
    const Tensor data = vector_of({1, 2, 4, 8});
    for (const auto mode : {InterpolateMode::nearest, InterpolateMode::linear,
                            InterpolateMode::linear_onnx, InterpolateMode::cubic}) {
        auto attributes = scaled(mode, CoordinateMode::tf_half_pixel_for_nn);
        attributes.rule.nearest = NearestMode::ceil;
        expect_same(resized({1, 2, 4, 8}, 1, attributes), data);
    }
}

// As OpenVINO 2026.4; its specification: the attribute is ignored.
TEST(Interpolate, PillowsFiltersHaveCoordinatesOfTheirOwn) {
    for (const auto mode : {InterpolateMode::bilinear_pillow, InterpolateMode::bicubic_pillow}) {
        for (const float scale : {0.5F, 1.5F}) {
            const Tensor expected = resized({1, 2, 4, 8}, scale, scaled(mode));
            for (const auto coordinates :
                 {CoordinateMode::asymmetric, CoordinateMode::align_corners,
                  CoordinateMode::pytorch_half_pixel, CoordinateMode::tf_half_pixel_for_nn}) {
                expect_same(resized({1, 2, 4, 8}, scale, scaled(mode, coordinates)), expected);
            }
        }
    }
}

TEST(Interpolate, TakesMeansOfTwoElements) {
    expect_near(resized({1, 2}, 2, scaled(InterpolateMode::linear_onnx)),
                vector_of({1, 1.25F, 1.75F, 2}), 1e-6);
    expect_near(resized({1, 2, 3}, 5.0F / 3,
                        scaled(InterpolateMode::linear_onnx, CoordinateMode::align_corners)),
                vector_of({1, 1.5F, 2, 2.5F, 3}), 1e-6);
    expect_near(
        resized({1, 2}, 2, scaled(InterpolateMode::linear_onnx, CoordinateMode::asymmetric)),
        vector_of({1, 1.5F, 2, 2}), 1e-6);
    // One output: place 0 instead of the middle.
    expect_near(resized({1, 2, 3, 4}, 0.25F,
                        scaled(InterpolateMode::linear_onnx, CoordinateMode::pytorch_half_pixel)),
                vector_of({1}), 1e-6);
    // 2.4 elements become 2: the last one lies at 3 / 1.4.
    expect_near(resized({1, 2, 3, 4}, 0.6F,
                        scaled(InterpolateMode::linear_onnx, CoordinateMode::align_corners_scaled)),
                vector_of({1, 1 + 3 / 1.4F}), 1e-6);
    // The middle of 2 of 2.4 places: 2 - 2 * 2 / 2.4 further than half_pixel's 1 / 3.
    expect_near(resized({1, 2, 3, 4}, 0.6F,
                        scaled(InterpolateMode::linear_onnx, CoordinateMode::half_pixel_symmetric)),
                vector_of({1 + 2.0F / 3, 1 + 7.0F / 3}), 1e-6);
}

TEST(Interpolate, TakesMeansOfFourElements) {
    auto attributes = scaled(InterpolateMode::cubic);
    // Weights of the distances 1.5, 0.5, 0.5, 1.5: -3/32, 19/32, 19/32, -3/32.
    expect_near(resized({1, 2, 4, 8}, 0.25F, attributes), vector_of({(-3 + 38 + 76 - 24) / 32.0F}),
                1e-6);
    attributes.rule.cube_coeff = -0.5F;  // -1/16, 9/16, 9/16, -1/16
    expect_near(resized({1, 2, 4, 8}, 0.25F, attributes), vector_of({(-1 + 18 + 36 - 8) / 16.0F}),
                1e-6);
    // Two elements: the outermost weights meet them again, or are left out.
    expect_near(resized({1, 3}, 0.5F, attributes), vector_of({2}), 1e-6);
    attributes.rule.coordinates = CoordinateMode::asymmetric;
    expect_near(resized({1, 3}, 2, attributes), vector_of({1, 2, 3, 3 + 1.0F / 8}), 1e-6);
    attributes.rule.exclude_outside = true;
    expect_near(resized({1, 3}, 2, attributes),
                vector_of({1, 2, 3, (3 * 9.0F / 16 - 1.0F / 16) * 2}), 1e-6);
}

TEST(Interpolate, FiltersWhatShrinks) {
    auto attributes = scaled(InterpolateMode::linear_onnx);
    attributes.rule.antialias = true;
    // Place 0.5: weights 1/4, 3/4, 3/4, 1/4 of half of -1, 0, 1, 2, the first of which is 0 again.
    expect_near(resized({1, 2, 3, 4}, 0.5F, attributes),
                vector_of({(1 + 3 + 6 + 3) / 8.0F, (2 + 9 + 12 + 4) / 8.0F}), 1e-6);
    attributes.rule.mode = InterpolateMode::linear;
    expect_near(resized({1, 2, 3, 4}, 0.5F, attributes),
                vector_of({(3 + 6 + 3) / 7.0F, (2 + 9 + 12) / 7.0F}), 1e-6);
    expect_near(resized({1, 2, 3, 4}, 0.5F, scaled(InterpolateMode::bilinear_pillow)),
                vector_of({(3 + 6 + 3) / 7.0F, (2 + 9 + 12) / 7.0F}), 1e-6);
    // What grows is not filtered.
    expect_near(resized({1, 2}, 2, attributes), vector_of({1, 1.25F, 1.75F, 2}), 1e-6);
}

TEST(Interpolate, CropsAndExtrapolates) {
    auto attributes = scaled(InterpolateMode::linear_onnx, CoordinateMode::tf_crop_and_resize);
    attributes.extrapolation_value = 9;
    attributes.extents = ExtentRule::sizes;
    const auto cropped = [&](const Tensor& roi, std::int64_t size) {
        return evaluate_one(ops::Interpolate({}, attributes),
                            {vector_of({1, 2, 3, 4, 5}), int_vector({size}), int_vector({0}), roi});
    };
    expect_near(cropped(vector_of({0.25F, 0.75F}), 3), vector_of({2, 3, 4}), 1e-6);
    expect_near(cropped(vector_of({0.5F, 1.5F}), 3), vector_of({3, 5, 9}), 1e-6);
    expect_near(cropped(vector_of({0.5F, 1}), 1), vector_of({4}), 1e-6);
    // As many elements as the data has, all of them outside.
    expect_near(cropped(vector_of({1.2F, 1.5F}), 5), vector_of({9, 9, 9, 9, 9}), 1e-6);
    attributes.rule.mode = InterpolateMode::cubic;
    expect_near(cropped(vector_of({-0.5F, -0.1F}), 5), vector_of({9, 9, 9, 9, 9}), 1e-6);
    attributes.rule.mode = InterpolateMode::nearest;
    expect_same(cropped(vector_of({-0.5F, 0.5F}), 3), vector_of({9, 1, 3}));
}

TEST(Interpolate, PutsZerosAround) {
    auto attributes = scaled(InterpolateMode::linear_onnx, CoordinateMode::asymmetric);
    attributes.pads_begin = {1};
    expect_near(resized({2, 4}, 2, attributes), vector_of({0, 1, 2, 3, 4, 4}), 1e-6);
    attributes.rule.mode = InterpolateMode::nearest;
    attributes.rule.nearest = NearestMode::floor;
    expect_same(resized({2, 4}, 2, attributes), vector_of({0, 0, 2, 2, 4, 4}));
}

TEST(Interpolate, RoundsIntegersAndKeepsEveryType) {
    const auto attributes = scaled(InterpolateMode::linear_onnx);
    const ops::Interpolate op({}, attributes);
    for (const ElementType type : {ElementType::u8, ElementType::i16, ElementType::i64}) {
        // 0, 2.5, 7.5, 10, 10, 10, ...: halves go to the even number.
        const Tensor data = converted(vector_of({0, 10, 10}), type);
        expect_same(evaluate_one(op, {data, vector_of({2}), int_vector({0})}),
                    converted(vector_of({0, 2, 8, 10, 10, 10}), type));
    }
    ops::Interpolate cubic({}, scaled(InterpolateMode::cubic, CoordinateMode::asymmetric));
    const Tensor bytes = tensor_of<std::uint8_t>({2}, {0, 255});
    EXPECT_EQ(evaluate_one(cubic, {bytes, vector_of({2}), int_vector({0})}).data<std::uint8_t>()[3],
              255);
    auto nearest = scaled(InterpolateMode::nearest, CoordinateMode::asymmetric);
    expect_moves_every_type(ops::Interpolate({}, nearest), counting({2, 3}),
                            {vector_of({1.5F}), int_vector({1})});
}

TEST(Interpolate, ResizesAnyAxes) {
    const ops::Interpolate op({}, scaled(InterpolateMode::linear_onnx));
    const Tensor data = floats({2, 1, 2}, {1, 2, 3, 4});
    expect_near(evaluate_one(op, {data, vector_of({2, 2}), int_vector({0, 2})}),
                floats({4, 1, 4}, {1, 1.25F, 1.75F, 2, 1.5F, 1.75F, 2.25F, 2.5F, 2.5F, 2.75F, 3.25F,
                                   3.5F, 3, 3.25F, 3.75F, 4}),
                1e-6);
    expect_same(evaluate_one(op, {data, vector_of({1}), int_vector({0})}), data);
    expect_same(evaluate_one(op, {floats({}, {3}), floats({0}, {}), int_vector({})}),
                floats({}, {3}));
}

}  // namespace
}  // namespace rondo::interpolate_test
