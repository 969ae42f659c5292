#include "core/ops/window/convolutions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::convolution_backprop_node_test {
namespace {

using ops::AutoPad;
using ops::BackpropAttributes;

// Constant filters, and filters that come with the run: the same bits.
template <typename T = ops::ConvolutionBackpropData>
void expect_transposed(const Shape& data, const Shape& filters,
                       const BackpropAttributes& attributes = {}) {
    auto rng = test_rng();
    const Tensor x_value = random_tensor(ElementType::f32, data, rng);
    const Tensor w_value = random_tensor(ElementType::f32, filters, rng);
    const auto x = parameter("x", PartialShape::of_rank(data.size()));
    const auto w = parameter("w", PartialShape(filters));
    const auto with = graph_of(
        {x}, {named(make_node<T>(std::vector<Output>{x, constant(w_value)}, attributes), "c")});
    const auto without = graph_of({x, w}, {make_node<T>(std::vector<Output>{x, w}, attributes)});
    EXPECT_TRUE(kernel_of(*with, "c").starts_with("convolution_backprop_"));
    expect_like_reference(*with, {x_value}, 1e-5);
    expect_same(on_cpu(*with).run({x_value})[0], on_cpu(*without).run({x_value, w_value})[0]);
}

TEST(ConvolutionBackpropNode, OneAxis) {
    expect_transposed({2, 3, 50}, {3, 5, 3});
    expect_transposed({1, 40, 30}, {40, 17, 16}, {{{8}, {1}, {4}, {4}}});
    expect_transposed({1, 3, 20}, {3, 5, 4}, {{{3}, {2}, {2}, {1}}, {2}});
    expect_transposed({1, 64, 1}, {64, 1, 40}, {{{20}}});  // a frame
    expect_transposed({3, 2, 1}, {2, 300, 2}, {{{2}}});    // filters on the lanes
}

TEST(ConvolutionBackpropNode, TwoAndThreeAxes) {
    expect_transposed({1, 16, 3, 33}, {16, 8, 1, 5}, {{{1, 2}, {1, 1}, {0, 2}, {0, 2}}});
    expect_transposed({2, 4, 5, 6}, {4, 3, 3, 3}, {{{2, 2}, {1, 1}, {1, 1}, {1, 1}}, {1, 1}});
    expect_transposed({1, 2, 3, 4, 5}, {2, 3, 2, 3, 1}, {{{2, 1, 3}}});
}

TEST(ConvolutionBackpropNode, Groups) {
    using Grouped = ops::GroupConvolutionBackpropData;
    expect_transposed<Grouped>({1, 16, 4, 33}, {16, 1, 1, 3, 3},
                               {{{1, 2}, {1, 1}, {1, 1}, {1, 1}}, {0, 1}});
    expect_transposed<Grouped>({2, 12, 20}, {3, 4, 6, 4}, {{{2}}});
    expect_transposed<Grouped>({1, 64, 2}, {64, 1, 1, 3});
}

// Gaps between the outputs that meet a tap are zeros.
TEST(ConvolutionBackpropNode, GapsAreZeros) {
    expect_transposed({1, 2, 7}, {2, 3, 2}, {{{5}}, {3}});
    expect_transposed({1, 2, 7}, {2, 3, 2}, {{{4}, {2}}});
}

TEST(ConvolutionBackpropNode, OutputShapeAtRunTime) {
    auto rng = test_rng();
    const auto x = parameter("x", PartialShape::of_rank(3));
    const auto shape = parameter("shape", {1}, ElementType::i64);
    const auto w = constant(random_tensor(ElementType::f32, {3, 2, 4}, rng));
    const auto graph =
        graph_of({x, shape}, {make_node<ops::ConvolutionBackpropData>(
                                 std::vector<Output>{x, w, shape},
                                 BackpropAttributes{{{2}, {}, {}, {}, AutoPad::same_upper}})});
    for (const std::int64_t extent : {9, 12, 20}) {
        expect_like_reference(*graph,
                              {random_tensor(ElementType::f32, {1, 3, 5}, rng),
                               tensor_of<std::int64_t>({1}, {extent})},
                              1e-5);
    }
}

// One graph after the other: the parts of the output are others, whose filters are as many.
TEST(ConvolutionBackpropNode, OtherPartsHaveOtherFilters) {
    auto rng = test_rng();
    for (const std::size_t stride : {3, 4}) {
        const auto x = parameter("x", PartialShape::of_rank(4));
        const auto shape = parameter("shape", {2}, ElementType::i64);
        const auto w = constant(random_tensor(ElementType::f32, {1, 1, stride, stride}, rng));
        const auto graph =
            graph_of({x, shape}, {make_node<ops::ConvolutionBackpropData>(
                                     std::vector<Output>{x, w, shape},
                                     BackpropAttributes{{{static_cast<std::int64_t>(stride),
                                                          static_cast<std::int64_t>(stride)}}})});
        auto on_device = on_cpu(*graph);
        auto expected = on_reference(*graph);
        for (std::int64_t height = 4; height <= 9; ++height) {
            for (std::int64_t width = 4; width <= 9; ++width) {
                const std::vector<Tensor> inputs{random_tensor(ElementType::f32, {1, 1, 2, 2}, rng),
                                                 tensor_of<std::int64_t>({2}, {height, width})};
                expect_near(on_device.run(inputs)[0], expected.run(inputs)[0], 1e-5);
            }
        }
    }
}

TEST(ConvolutionBackpropNode, ManyExtentsAndThreads) {
    auto rng = test_rng();
    const auto x = parameter("x", PartialShape::of_rank(3));
    const auto w = constant(random_tensor(ElementType::f32, {80, 70, 16}, rng));
    const auto graph =
        graph_of({x}, {make_node<ops::ConvolutionBackpropData>(
                          std::vector<Output>{x, w}, BackpropAttributes{{{8}, {}, {4}, {4}}})});
    auto one = on_cpu(*graph, {{"INFERENCE_NUM_THREADS", "1"}});
    auto all = on_cpu(*graph, {{"INFERENCE_NUM_THREADS", "4"}});
    for (const std::size_t extent : {1, 2, 3, 40, 3, 200}) {
        const Tensor value = random_tensor(ElementType::f32, {2, 80, extent}, rng);
        expect_same(all.run({value})[0], one.run({value})[0]);
    }
}

TEST(ConvolutionBackpropNode, NoImagesAndNoChannels) {
    const auto x = parameter("x", {-1, -1, -1});
    const auto w = parameter("w", {-1, -1, -1});
    const auto graph = graph_of({x, w}, {make_node<ops::ConvolutionBackpropData>(
                                            std::vector<Output>{x, w}, BackpropAttributes{})});
    auto device = on_cpu(*graph);
    const ElementType f32 = ElementType::f32;
    expect_same(device.run({Tensor(f32, {0, 2, 3}), Tensor(f32, {2, 4, 2})})[0],
                Tensor(f32, {0, 4, 4}));
    expect_same(device.run({Tensor(f32, {1, 0, 3}), Tensor(f32, {0, 4, 2})})[0],
                Tensor(f32, {1, 4, 4}));
}

TEST(ConvolutionBackpropNode, PaddingIsNotMultiplied) {
    auto rng = test_rng();
    for (const std::int64_t stride : {1, 2}) {
        const BackpropAttributes attributes{{{stride}, {1}, {0}, {0}}};
        const Tensor value = random_tensor(ElementType::f32, {2, 3, 9}, rng);
        Tensor weights = random_tensor(ElementType::f32, {3, 4, 3}, rng);
        weights.data<float>()[0] = HUGE_VALF;
        weights.data<float>()[20] = std::nanf("");
        const auto x = parameter("x", PartialShape::of_rank(3));
        const auto w = parameter("w", PartialShape::of_rank(3));
        using Backprop = ops::ConvolutionBackpropData;
        const auto with = graph_of(
            {x}, {make_node<Backprop>(std::vector<Output>{x, constant(weights)}, attributes)});
        const auto without =
            graph_of({x, w}, {make_node<Backprop>(std::vector<Output>{x, w}, attributes)});
        expect_like_reference(*with, {value}, 1e-5);
        expect_like_reference(*without, {value, weights}, 1e-5);
    }
}

}  // namespace
}  // namespace rondo::test::convolution_backprop_node_test
