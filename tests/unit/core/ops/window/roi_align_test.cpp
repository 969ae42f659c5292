#include "core/ops/window/samplers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::roi_align_test {
namespace {

using namespace test;  // NOLINT: tests only
using ops::RoiAlignAttributes;
using ops::RoiAlignment;
using ops::RoiMode;

std::string shape_after(std::string_view data, std::string_view regions, std::string_view batches,
                        const RoiAlignAttributes& attributes = {3, 2}) {
    return inferred(*named<ops::RoiAlign>(
        std::vector<Output>{parameter(data), parameter(regions), unknown_ints(batches)},
        attributes));
}

// A bin of the region x 0..4, y 0..2 of a picture whose elements are 10 * row + column; that at
// `nan_at` is NaN.
float pooled(const RoiAlignAttributes& attributes, const std::vector<float>& region = {0, 0, 4, 2},
             int nan_at = -1) {
    std::vector<float> picture;
    for (int i = 0; i < 24; ++i) picture.push_back(static_cast<float>(10 * (i / 6) + i % 6));
    if (nan_at >= 0) picture[static_cast<std::size_t>(nan_at)] = std::nanf("");
    return evaluate_one(ops::RoiAlign({}, attributes),
                        {floats({1, 1, 4, 6}, picture), floats({1, 4}, region), int_vector({0})})
        .data<float>()[0];
}

TEST(RoiAlign, InfersItsShape) {
    EXPECT_EQ(shape_after("2,5,7,8", "4,4", "4"), "f32[4,5,3,2]");
    EXPECT_EQ(shape_after("?,?,?,?", "?,4", "4"), "f32[4,?,3,2]");
    EXPECT_EQ(shape_after("...", "...", "..."), "f32[?,?,3,2]");
    EXPECT_EQ(ops::find_op("ROIAlign", "opset5")->make()->op_type().opset, 9);
    RoiAlignAttributes attributes;
    attributes.mode = RoiMode::max_part;
    EXPECT_EQ(ops::RoiAlign({}, attributes).op_type().opset, 0);
}

TEST(RoiAlign, RefusesWrongParts) {
    expect_error<ModelError>([] { shape_after("2,5,7", "4,4", "4"); }, "data has shape [2,5,7]");
    expect_error<ModelError>([] { shape_after("2,5,7,8", "4,5", "4"); }, "four numbers each");
    expect_error<ModelError>([] { shape_after("2,5,7,8", "4,4", "3"); }, "the number of regions");
    expect_error<ModelError>(
        [] {
            shape_after("2,5,7,8", "4,4", "4", {0, 1});
        },
        "pooled_h is 0; expected 1");
    expect_error<ModelError>(
        [] {
            shape_after("2,5,7,8", "4,4", "4", {1, 1, -1});
        },
        "sampling_ratio is -1");
    const ops::RoiAlign op({}, {});
    const Tensor data(ElementType::f32, {1, 1, 2, 2});
    expect_error<ModelError>(
        [&] {
            evaluate_one(op, {data, floats({1, 4}, {0, 0, 1, 1}), int_vector({1})});
        },
        "batch index 1 is out of range for 1 images");
    expect_error<ModelError>(
        [&] {
            evaluate_one(op, {data, floats({1, 4}, {0, 0, 1e9F, 1}), int_vector({0})});
        },
        "region 0 is too large");
}

TEST(RoiAlign, TakesMeansAndGreatestSamples) {
    RoiAlignAttributes attributes;
    // Samples at x 0.5, 1.5, 2.5, 3.5 and y 0.5, 1.5: the mean is that at their centre.
    EXPECT_NEAR(pooled(attributes), 10 + 2, 1e-5);
    attributes.sampling_ratio = 1;
    EXPECT_NEAR(pooled(attributes), 10 + 2, 1e-5);
    attributes.spatial_scale = 0.5F;  // 0..2, 0..1
    EXPECT_NEAR(pooled(attributes), 5 + 1, 1e-5);
    attributes.spatial_scale = 1;
    attributes.alignment = RoiAlignment::half_pixel_for_nn;
    EXPECT_NEAR(pooled(attributes), 5 + 1.5, 1e-5);
    attributes.spatial_scale = 0.5F;  // 0.5 * 0.5 - 0.5 is added
    attributes.alignment = RoiAlignment::half_pixel;
    EXPECT_NEAR(pooled(attributes), 2.5 + 0.75, 1e-5);
    attributes = {};
    attributes.mode = RoiMode::max;  // at x 3.5, y 1.5
    EXPECT_NEAR(pooled(attributes), 15 + 3.5, 1e-5);
    attributes.mode = RoiMode::max_part;  // a quarter of the element 24
    EXPECT_NEAR(pooled(attributes), 6, 1e-5);
}

// The sample lies at x 1.5, y 0.5.
TEST(RoiAlign, NanReachesTheBinsThatItIsIn) {
    RoiAlignAttributes attributes;
    attributes.sampling_ratio = 1;
    for (const auto& [name, mode] : ops::kRoiModes) {
        attributes.mode = mode;
        for (const int at : {1, 2, 7, 8}) {
            EXPECT_TRUE(std::isnan(pooled(attributes, {0, 0, 3, 1}, at))) << name << " " << at;
        }
        EXPECT_FALSE(std::isnan(pooled(attributes, {0, 0, 3, 1}, 3))) << name;
    }
}

TEST(RoiAlign, SamplesWithinOneElementOfTheData) {
    RoiAlignAttributes attributes;
    attributes.sampling_ratio = 1;
    EXPECT_NEAR(pooled(attributes, {-2, -2, 1, 1}), 0, 1e-6);       // -0.5, -0.5
    EXPECT_NEAR(pooled(attributes, {-8, 0, -4, 2}), 0, 1e-6);       // outside
    EXPECT_NEAR(pooled(attributes, {5, 3, 6.5F, 4.5F}), 35, 1e-5);  // 5.75, 3.75
    attributes.alignment = RoiAlignment::half_pixel_for_nn;
    attributes.sampling_ratio = 0;
    EXPECT_EQ(pooled(attributes, {2, 2, 1, 1}), 0);  // no samples
    expect_error<ModelError>(
        [&] {
            pooled(attributes, {std::numeric_limits<float>::quiet_NaN(), 0, 1, 1});
        },
        "region 0 is too large");
}

}  // namespace
}  // namespace rondo::roi_align_test
