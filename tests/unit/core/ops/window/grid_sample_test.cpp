#include "core/ops/window/samplers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::grid_sample_test {
namespace {

using namespace test;  // NOLINT: tests only
using ops::GridMode;
using ops::GridPadding;

std::string shape_after(std::string_view data, std::string_view grid) {
    return inferred(*named<ops::GridSample>(parameter(data), parameter(grid), ops::GridRule{}));
}

// Points on one axis with the elements 1, 2, 3.
Tensor sampled(const ops::GridRule& rule, const std::vector<float>& points) {
    const ops::GridSample op(parameter("1,1,3"), parameter("1,1,1"), rule);
    return evaluate_one(op, {floats({1, 1, 3}, {1, 2, 3}), floats({1, points.size(), 1}, points)});
}

Tensor row(const std::vector<float>& values) { return floats({1, 1, values.size()}, values); }

TEST(GridSample, InfersItsShape) {
    EXPECT_EQ(shape_after("2,3,4,5", "2,6,7,2"), "f32[2,3,6,7]");
    EXPECT_EQ(shape_after("?,3,4,5", "2,?,7,2"), "f32[2,3,?,7]");
    EXPECT_EQ(shape_after("...", "2,6,7,8,3"), "f32[2,?,6,7,8]");
    EXPECT_EQ(shape_after("2,3,4", "..."), "f32[2,3,?]");
    EXPECT_EQ(shape_after("...", "..."), "f32[...]");
    const auto opset = [](std::string_view data) {
        return named<ops::GridSample>(parameter(data), parameter("..."), ops::GridRule{})
            ->op_type()
            .opset;
    };
    EXPECT_EQ(opset("2,3,4,5"), 9);
    EXPECT_EQ(opset("2,3,4,5,6"), 0);
}

TEST(GridSample, RefusesWrongInputs) {
    expect_error<ModelError>([] { shape_after("2,3,4,5", "2,6,7,3"); },
                             "expected 2 numbers a point");
    expect_error<ModelError>([] { shape_after("2,3,4,5", "2,6,7,8,3"); }, "grid has shape");
    expect_error<ModelError>([] { shape_after("2,3,4,5", "3,6,7,2"); }, "the batch is 2");
    expect_error<UnsupportedError>([] { shape_after("2,3,4,5,6,7", "..."); },
                                   "the data has rank 6; expected 3 to 5");
    expect_error<UnsupportedError>(
        [] {
            named<ops::GridSample>(parameter("1,1,2,2", ElementType::i32), parameter("1,1,1,2"),
                                   ops::GridRule{});
        },
        "the data is i32");
}

TEST(GridSample, FindsPlacesBetweenCentresOrEdges) {
    ops::GridRule rule;
    rule.align_corners = true;  // -1 and 1 are the elements 1 and 3
    expect_near(sampled(rule, {-1, -0.5F, 0, 1}), row({1, 1.5F, 2, 3}), 1e-6);
    rule.align_corners = false;  // half an element further out: zeros there
    expect_near(sampled(rule, {-1, -2.0F / 3, 0, 1}), row({0.5F, 1, 2, 1.5F}), 1e-6);
    rule.mode = GridMode::nearest;  // places 0.5 and 1.5 go to the even ones
    expect_same(sampled(rule, {-1.0F / 3, 1.0F / 3, 0.9F}), row({1, 3, 3}));
}

TEST(GridSample, PutsElementsAround) {
    ops::GridRule rule;
    rule.align_corners = true;
    const std::vector<float> points{-3, -1.5F, 2, 100};  // places -2, -0.5, 3, 101
    expect_near(sampled(rule, points), row({0, 0.5F, 0, 0}), 1e-6);
    rule.padding = GridPadding::border;
    expect_near(sampled(rule, points), row({1, 1, 3, 3}), 1e-6);
    rule.padding = GridPadding::reflection;  // 1 2 3 2 1 2 3 ...
    expect_near(sampled(rule, points), row({3, 1.5F, 2, 2}), 1e-6);
    rule.align_corners = false;  // 3 2 1 | 1 2 3 | 3 2 1: places -3.5, -1.25, 4, 151
    expect_near(sampled(rule, points), row({3, 1.25F, 2, 2}), 1e-5);
    for (const auto padding : {GridPadding::zeros, GridPadding::border, GridPadding::reflection}) {
        rule.padding = padding;
        const float nothing = std::numeric_limits<float>::quiet_NaN();
        for (const auto mode : {GridMode::nearest, GridMode::bilinear}) {
            rule.mode = mode;
            const float value = sampled(rule, {nothing}).data<float>()[0];
            EXPECT_TRUE(value == 0 || std::isnan(value));
        }
    }
}

// However far: the outermost element itself.
TEST(GridSample, BeyondTheBorderIsTheOutermostElement) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const GridMode mode : {GridMode::nearest, GridMode::bilinear}) {
        for (const bool align_corners : {false, true}) {
            const ops::GridRule rule{mode, GridPadding::border, align_corners};
            expect_same(sampled(rule, {kInfinity, -kInfinity, 3e38f, -3e38f, 1.3f, -1.7f}),
                        row({3, 1, 3, 1, 3, 1}));
            const ops::GridSample op(parameter("1,1,2"), parameter("1,1,1"), rule);
            expect_same(
                evaluate_one(op, {floats({1, 1, 2}, {1, kInfinity}), floats({1, 1, 1}, {2})}),
                floats({1, 1, 1}, {kInfinity}));
        }
    }
}

TEST(GridSample, TakesMeansOfFourElements) {
    ops::GridRule rule{GridMode::bicubic, GridPadding::border, true};
    // Place 0.5: weights -3/32, 19/32, 19/32, -3/32 of 1, 1, 2, 3.
    expect_near(sampled(rule, {-0.5F}), row({(-3 + 19 + 38 - 9) / 32.0F}), 1e-6);
    rule.padding = GridPadding::zeros;
    expect_near(sampled(rule, {-0.5F, 0}), row({(19 + 38 - 9) / 32.0F, 2}), 1e-6);
}

TEST(GridSample, NamesTheLastAxisFirst) {
    ops::GridRule rule;
    rule.align_corners = true;
    rule.mode = GridMode::nearest;
    const ops::GridSample plane(parameter("1,1,2,3"), parameter("1,1,1,2"), rule);
    const Tensor grid = floats({1, 1, 2, 2}, {1, -1, -1, 1});
    expect_same(evaluate_one(plane, {counting({1, 1, 2, 3}), grid}), floats({1, 1, 1, 2}, {2, 3}));
    const ops::GridSample space(parameter("1,1,2,2,2"), parameter("1,1,1,1,3"), rule);
    const Tensor corner = floats({1, 1, 1, 1, 3}, {1, -1, 1});
    expect_same(evaluate_one(space, {counting({1, 1, 2, 2, 2}), corner}),
                floats({1, 1, 1, 1, 1}, {5}));
}

}  // namespace
}  // namespace rondo::grid_sample_test
