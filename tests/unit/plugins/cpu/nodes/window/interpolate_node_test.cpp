#include "core/ops/window/samplers.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::interpolate_node_test {
namespace {

using ops::CoordinateMode;
using ops::ExtentRule;
using ops::InterpolateMode;
using Ints = std::vector<std::int64_t>;

constexpr InterpolateMode kModes[] = {
    InterpolateMode::nearest, InterpolateMode::linear,          InterpolateMode::linear_onnx,
    InterpolateMode::cubic,   InterpolateMode::bilinear_pillow, InterpolateMode::bicubic_pillow};

ops::InterpolateAttributes attributes_of(InterpolateMode mode,
                                         CoordinateMode coordinates = CoordinateMode::half_pixel) {
    ops::InterpolateAttributes attributes;
    attributes.rule.mode = mode;
    attributes.rule.coordinates = coordinates;
    return attributes;
}

std::shared_ptr<Graph> resized(const PartialShape& shape, const Ints& sizes, const Ints& axes,
                               const ops::InterpolateAttributes& attributes,
                               ElementType type = ElementType::f32) {
    const auto x = parameter("x", shape, type);
    std::vector<Output> inputs{x, ops::make_i64(sizes, "sizes"), ops::make_i64(axes, "axes")};
    if (attributes.rule.coordinates == CoordinateMode::tf_crop_and_resize) {
        std::vector<float> roi(axes.size(), -0.1F);
        roi.insert(roi.end(), axes.size(), 0.9F);
        inputs.push_back(constant(tensor_of<float>({roi.size()}, roi)));
    }
    return graph_of({x}, {named(make_node<ops::Interpolate>(inputs, attributes), "i")});
}

TEST(InterpolateNode, AnyModeAndAxes) {
    auto rng = test_rng();
    const Tensor x = random_tensor(ElementType::f32, {2, 3, 6, 5}, rng);
    for (const InterpolateMode mode : kModes) {
        for (const auto& [name, coordinates] : ops::kCoordinateModes) {
            auto attributes = attributes_of(mode, coordinates);
            attributes.extrapolation_value = 0.5F;
            attributes.rule.antialias = coordinates == CoordinateMode::half_pixel;
            attributes.rule.exclude_outside = coordinates == CoordinateMode::asymmetric;
            for (const auto& [sizes, axes] :
                 std::vector<std::pair<Ints, Ints>>{{{9, 11}, {2, 3}},
                                                    {{3, 2}, {2, 3}},
                                                    {{9, 3}, {3, 2}},
                                                    {{5}, {1}},
                                                    {{3}, {0}},
                                                    {{1, 1, 1, 1}, {0, 1, 2, 3}},
                                                    {{6, 5}, {2, 3}}}) {
                SCOPED_TRACE(name);
                expect_like_reference(*resized(PartialShape::of_rank(4), sizes, axes, attributes),
                                      {x}, 2e-6, 2e-6);
            }
        }
    }
}

TEST(InterpolateNode, Pads) {
    auto rng = test_rng();
    const Tensor x = random_tensor(ElementType::f32, {2, 4, 3}, rng);
    for (const InterpolateMode mode : kModes) {
        auto attributes = attributes_of(mode);
        attributes.pads_begin = {0, 2, 1};
        attributes.pads_end = {1};
        expect_like_reference(*resized({-1, -1, -1}, {7, 9}, {1, 2}, attributes), {x}, 2e-6);
        expect_like_reference(*resized({-1, -1, -1}, {7, 9}, {1, 2}, attributes),
                              {Tensor(ElementType::f32, {2, 0, 3})});
    }
}

TEST(InterpolateNode, EmptyDataAndResults) {
    for (const InterpolateMode mode : kModes) {
        const auto graph = resized({-1, -1}, {0}, {1}, attributes_of(mode));
        expect_like_reference(*graph, {Tensor(ElementType::f32, {3, 4})});
        const auto some = resized({-1, -1}, {5}, {1}, attributes_of(mode));
        expect_like_reference(*some, {Tensor(ElementType::f32, {0, 4})});
        expect_error<ModelError>(
            [&] {
                on_cpu(*some).run({Tensor(ElementType::f32, {3, 0})});
            },
            "node 'i' (Interpolate): an axis without elements can't get 5");
    }
}

TEST(InterpolateNode, SharesPlanesAndRows) {
    auto rng = test_rng();
    for (const Shape& shape : {Shape{1, 40, 50, 60}, Shape{1, 1, 300, 400}}) {
        const Tensor x = random_tensor(ElementType::f32, shape, rng);
        for (const InterpolateMode mode : {InterpolateMode::nearest, InterpolateMode::cubic}) {
            expect_like_reference(
                *resized(PartialShape::of_rank(4), {111, 95}, {2, 3}, attributes_of(mode)), {x},
                5e-6);
        }
    }
}

TEST(InterpolateNode, OtherTypes) {
    auto rng = test_rng();
    for (const ElementType type :
         {ElementType::f64, ElementType::f16, ElementType::bf16, ElementType::u8, ElementType::i8,
          ElementType::u16, ElementType::i32, ElementType::i64}) {
        const Tensor x = random_tensor(type, {2, 3, 4}, rng, 0, 100);
        for (const InterpolateMode mode : kModes) {
            // Weights that are exact: the rounding of ties is the same.
            const auto graph = resized({-1, -1, -1}, {6, 8}, {1, 2}, attributes_of(mode), type);
            expect_like_reference(*graph, {x}, type == ElementType::f64 ? 1e-12 : 1e-2, 1e-2);
        }
    }
}

TEST(InterpolateNode, KeptAxesAreAView) {
    const auto graph = resized({2, 3}, {2, 3}, {0, 1}, attributes_of(InterpolateMode::linear_onnx));
    auto device = on_cpu(*graph, {{property::kPerfCount, "YES"}});
    device.run({Tensor(ElementType::f32, {2, 3})});
    EXPECT_EQ(device.executor->profiling().at(0).exec_type, "view");
}

TEST(InterpolateNode, ScalesAndRegionsThatComeWithEachRun) {
    auto rng = test_rng();
    auto attributes =
        attributes_of(InterpolateMode::linear_onnx, CoordinateMode::tf_crop_and_resize);
    attributes.extents = ExtentRule::scales;
    const auto x = parameter("x", {2, 4, 5});
    const auto scales = parameter("scales", {2});
    const auto roi = parameter("roi", {4}, ElementType::f16);
    const auto node = make_node<ops::Interpolate>(
        std::vector<Output>{x, scales, ops::make_i64({1, 2}, "axes"), roi}, attributes);
    const auto graph = graph_of({x, scales, roi}, {named(node, "i")});
    auto device = on_cpu(*graph);
    const Tensor data = random_tensor(ElementType::f32, {2, 4, 5}, rng);
    for (const float scale : {0.5F, 2.0F, 1.0F}) {
        for (const double start : {0.0, 0.25}) {
            const std::vector<Tensor> inputs{data, tensor_of<float>({2}, {scale, 2}),
                                             tensor_of<float16, double>({4}, {start, 0, 1, 1.5})};
            expect_near(device.run(inputs)[0], on_reference(*graph).run(inputs)[0], 2e-6);
        }
    }
    expect_error<ModelError>(
        [&] {
            device.run({data, tensor_of<float>({2}, {-1, 2}),
                        tensor_of<float16, double>({4}, {0, 0, 1, 1})});
        },
        "node 'i' (Interpolate): scales hold -1");
}

}  // namespace
}  // namespace rondo::test::interpolate_node_test
