#include "core/ops/window/convolutions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::convolution_node_test {
namespace {

void expect_convolution(const Shape& data, const Shape& filters,
                        const ops::ConvolutionAttributes& attributes) {
    auto rng = test_rng();
    const auto x = parameter("x", PartialShape::of_rank(data.size()));
    const auto w = constant(random_tensor(ElementType::f32, filters, rng));
    const auto graph = graph_of({x}, {named(make_node<ops::Convolution>(x, w, attributes), "c")});
    EXPECT_TRUE(kernel_of(*graph, "c").starts_with("convolution_gemm_"));
    const auto k = static_cast<double>(element_count(filters) / filters[0]);
    expect_like_reference(*graph, {random_tensor(ElementType::f32, data, rng)},
                          2e-6 * std::sqrt(k));
}

TEST(ConvolutionNode, OneAxis) {
    expect_convolution({1, 3, 50}, {5, 3, 3}, {});
    expect_convolution({2, 3, 50}, {5, 3, 4}, {{2}, {3}, {2}, {4}, ops::AutoPad::explicit_pads});
    expect_convolution({2, 1, 7}, {1, 1, 7}, {});
    expect_convolution({1, 40, 300}, {33, 40, 5}, {{1}, {1}, {2}, {2}, {}});
}

TEST(ConvolutionNode, TwoAxes) {
    expect_convolution({2, 3, 9, 11}, {4, 3, 3, 2}, {});
    expect_convolution({1, 3, 9, 11}, {4, 3, 3, 3},
                       {{2, 1}, {1, 2}, {1, 2}, {0, 1}, ops::AutoPad::explicit_pads});
    expect_convolution({1, 2, 8, 9}, {4, 2, 3, 4}, {{2, 2}, {}, {}, {}, ops::AutoPad::same_upper});
    expect_convolution({1, 2, 8, 9}, {4, 2, 3, 4}, {{3, 2}, {}, {}, {}, ops::AutoPad::same_lower});
    expect_convolution({2, 16, 32, 48}, {24, 16, 3, 3}, {{}, {}, {1, 1}, {1, 1}, {}});
}

TEST(ConvolutionNode, ThreeAxes) {
    expect_convolution({1, 2, 5, 6, 7}, {3, 2, 2, 3, 3},
                       {{1, 2, 1}, {}, {1, 0, 1}, {0, 1, 1}, ops::AutoPad::explicit_pads});
}

// The result with constant filters, packed at compile time, where few positions put filters on
// the lanes; the same bits as with filters that come with the run.
void expect_same_as_at_run_time(const Shape& data, const Shape& filters,
                                const ops::ConvolutionAttributes& attributes) {
    auto rng = test_rng();
    const Tensor x_value = random_tensor(ElementType::f32, data, rng);
    const Tensor w_value = random_tensor(ElementType::f32, filters, rng);
    const auto x = parameter("x", PartialShape::of_rank(data.size()));
    const auto w = parameter("w", PartialShape(filters));
    const auto with =
        graph_of({x}, {make_node<ops::Convolution>(x, constant(w_value), attributes)});
    const auto without = graph_of({x, w}, {make_node<ops::Convolution>(x, w, attributes)});
    expect_same(on_cpu(*with).run({x_value})[0], on_cpu(*without).run({x_value, w_value})[0]);
}

// What the sizes made of the kernel.
std::string detail_of(const Shape& data, const Shape& filters) {
    auto rng = test_rng();
    const auto x = parameter("x", PartialShape(data));
    const auto w = constant(random_tensor(ElementType::f32, filters, rng));
    const auto graph =
        graph_of({x}, {make_node<ops::Convolution>(x, w, ops::ConvolutionAttributes{})});
    return on_cpu(*graph).executable->kernels()[0].reason;
}

TEST(ConvolutionNode, FewPositionsPutFiltersOnTheLanes) {
    const std::string detail = "filters on the lanes";
    EXPECT_NE(detail_of({1, 512, 1}, {256, 512, 1}).find(detail), std::string::npos);
    EXPECT_NE(detail_of({1, 128, 1}, {1, 128, 1}).find(detail), std::string::npos);
    EXPECT_NE(detail_of({2, 5, 6}, {64, 5, 3}).find(detail), std::string::npos);
    EXPECT_EQ(detail_of({1, 5, 9}, {1, 5, 3}).find(detail), std::string::npos);    // 7 against 1
    EXPECT_EQ(detail_of({1, 5, 60}, {64, 5, 3}).find(detail), std::string::npos);  // many
}

void expect_groups(const Shape& data, const Shape& filters,
                   const ops::ConvolutionAttributes& attributes, const std::string& detail) {
    auto rng = test_rng();
    const Tensor x_value = random_tensor(ElementType::f32, data, rng);
    const Tensor w_value = random_tensor(ElementType::f32, filters, rng);
    const auto x = parameter("x", PartialShape(data));
    const auto w = parameter("w", PartialShape::of_rank(filters.size()));
    const auto with =
        graph_of({x}, {make_node<ops::GroupConvolution>(x, constant(w_value), attributes)});
    const auto without = graph_of({x, w}, {make_node<ops::GroupConvolution>(x, w, attributes)});
    expect_like_reference(*with, {x_value}, 1e-5);
    expect_same(on_cpu(*with).run({x_value})[0], on_cpu(*without).run({x_value, w_value})[0]);
    const std::string reason = on_cpu(*with).executable->kernels()[0].reason;
    EXPECT_NE(reason.find(detail), std::string::npos) << reason;
}

TEST(ConvolutionNode, Groups) {
    const ops::ConvolutionAttributes same{{}, {}, {}, {}, ops::AutoPad::same_upper};
    expect_groups({2, 12, 60}, {3, 8, 4, 5}, same, "");
    expect_groups({2, 40, 3}, {2, 30, 20, 2}, {}, "filters on the lanes");
    expect_groups({1, 6, 9, 33}, {3, 4, 2, 3, 3}, {{2, 2}, {1, 2}, {1, 1}, {1, 1}}, "tap by tap");
    expect_groups({1, 4, 3, 8, 9}, {2, 2, 2, 2, 3, 3}, same, "tap by tap");
}

TEST(ConvolutionNode, Depthwise) {
    const ops::ConvolutionAttributes same{{}, {}, {}, {}, ops::AutoPad::same_lower};
    expect_groups({2, 33, 3000}, {33, 1, 1, 7}, same, "tap by tap");
    expect_groups({2, 5, 100}, {5, 1, 1, 31}, {{1}, {4}, {20}, {100}}, "tap by tap");
    expect_groups({1, 16, 40, 41}, {16, 1, 1, 3, 3}, same, "tap by tap");
    expect_groups({1, 16, 40, 41}, {16, 1, 1, 3, 5}, {{2, 3}, {1, 1}, {1, 2}, {1, 2}},
                  "tap by tap");
    expect_groups({1, 64, 31}, {64, 1, 1, 31}, {}, "channels on the lanes");
    expect_groups({3, 19, 9, 4}, {19, 1, 1, 3, 3}, {{1, 2}, {}, {1, 1}, {1, 1}},
                  "channels on the lanes");
}

// A fused program follows line by line.
TEST(ConvolutionNode, GroupsTakeAProgram) {
    auto rng = test_rng();
    for (const std::size_t extent : {2, 50}) {
        const auto x = parameter("x", {1, 24, -1});
        const auto w = constant(random_tensor(ElementType::f32, {24, 1, 1, 3}, rng));
        const auto bias = constant(random_tensor(ElementType::f32, {1, 24, 1}, rng));
        const Output sums =
            make_node<ops::GroupConvolution>(x, w, ops::ConvolutionAttributes{{}, {}, {1}, {1}});
        const auto add = make_node<ops::Binary>(ops::BinaryFunction::add, sums, bias);
        const auto graph = graph_of({x}, {make_node<ops::Unary>(ops::UnaryFunction::relu, add)});
        EXPECT_EQ(on_cpu(*graph).executable->kernels().size(), 3u);
        expect_like_reference(*graph, {random_tensor(ElementType::f32, {1, 24, extent}, rng)},
                              1e-6);
    }
}

// The only window of an image of one element may lie in the padding.
TEST(ConvolutionNode, WindowsInThePadding) {
    const auto pads = ops::AutoPad::explicit_pads;
    expect_convolution({2, 3, 1}, {4, 3, 1}, {{2}, {}, {1}, {}, pads});
    expect_convolution({2, 3, 1, 1}, {4, 3, 1, 1}, {{1, 3}, {}, {0, 2}, {}, pads});
    expect_convolution({2, 3, 1}, {4, 3, 1}, {{1}, {}, {}, {2}, pads});
}

// Images in several groups, which threads share; a product that they share.
TEST(ConvolutionNode, FewPositionsOnSeveralThreads) {
    auto rng = test_rng();
    for (const Shape& data : {Shape{500, 40, 6}, Shape{3, 2000, 3}}) {
        const auto x = parameter("x", PartialShape::of_rank(3));
        const auto w = constant(random_tensor(ElementType::f32, {300, data[1], 3}, rng));
        const auto graph =
            graph_of({x}, {make_node<ops::Convolution>(x, w, ops::ConvolutionAttributes{})});
        const Tensor value = random_tensor(ElementType::f32, data, rng);
        const auto one = on_cpu(*graph, {{"INFERENCE_NUM_THREADS", "1"}}).run({value});
        const auto all = on_cpu(*graph, {{"INFERENCE_NUM_THREADS", "4"}}).run({value});
        expect_same(all[0], one[0]);
    }
}

TEST(ConvolutionNode, FewPositions) {
    expect_convolution({1, 512, 1}, {256, 512, 1}, {});  // the data as it lies
    expect_convolution({5, 128, 1}, {1, 128, 1}, {});
    expect_convolution({3, 7, 9}, {21, 7, 4}, {{2}, {3}, {2}, {}, ops::AutoPad::explicit_pads});
    expect_convolution({2, 3, 4, 5}, {17, 3, 3, 3}, {{1, 2}, {1, 1}, {1, 1}, {}, {}});
    expect_convolution({700, 6, 5}, {33, 6, 3}, {});  // images in several groups
    for (const std::size_t extent : {3, 4, 9, 10, 11, 17, 18, 19, 40}) {
        expect_same_as_at_run_time({2, 5, extent}, {19, 5, 3}, {});
    }
    expect_same_as_at_run_time({4, 9, 6}, {40, 9, 3}, {{}, {}, {1}, {1}, {}});
    expect_same_as_at_run_time({2, 4, 7, 9}, {50, 4, 3, 2},
                               {{2, 3}, {1, 2}, {2, 1}, {1, 2}, ops::AutoPad::explicit_pads});
}

TEST(ConvolutionNode, FiltersAtRunTimeAndNoImages) {
    auto rng = test_rng();
    const auto x = parameter("x", {-1, 2, -1});
    const auto w = parameter("w", {-1, 2, -1});
    const auto graph =
        graph_of({x, w}, {make_node<ops::Convolution>(x, w, ops::ConvolutionAttributes{})});
    for (const std::size_t images : {0, 1, 3}) {
        expect_like_reference(*graph,
                              {random_tensor(ElementType::f32, {images, 2, 9}, rng),
                               random_tensor(ElementType::f32, {4, 2, 3}, rng)},
                              5e-6);
    }
}

// Filters that are constants and that come with the run; sums of f16 are rounded once.
void expect_type(ElementType type, const std::string& kernel, double absolute) {
    auto rng = test_rng();
    const bool is_number = is_integral(type);
    const auto values = [&](const Shape& shape) {
        return random_tensor(type, shape, rng, is_number ? 0 : -1, is_number ? 99 : 1);
    };
    const ops::ConvolutionAttributes attributes{{2}, {}, {1}, {2}, ops::AutoPad::explicit_pads};
    for (const std::size_t extent : {6, 50}) {  // filters and positions on the lanes
        const auto x = parameter("x", {-1, 3, -1}, type);
        const auto w = parameter("w", {-1, 3, -1}, type);
        const Tensor filters = values({33, 3, 4});
        const Tensor data = values({2, 3, extent});
        const auto open =
            graph_of({x, w}, {named(make_node<ops::Convolution>(x, w, attributes), "c")});
        const auto fixed =
            graph_of({x}, {make_node<ops::Convolution>(x, constant(filters), attributes)});
        EXPECT_TRUE(kernel_of(*open, "c").starts_with(kernel)) << kernel_of(*open, "c");
        expect_like_reference(*open, {data, filters}, absolute);
        expect_like_reference(*fixed, {data}, absolute);
        expect_like_reference(*open, {values({0, 3, extent}), filters}, absolute);
    }
}

TEST(ConvolutionNode, EveryType) {
    expect_type(ElementType::f64, "convolution_gemm_", 1e-14);
    expect_type(ElementType::f16, "convolution_gemm_", 0.004);
    expect_type(ElementType::bf16, "convolution_gemm_", 0.04);
    for (const ElementType type :
         {ElementType::i64, ElementType::i32, ElementType::i16, ElementType::i8, ElementType::u64,
          ElementType::u32, ElementType::u16, ElementType::u8}) {
        expect_type(type, "convolution_plain", 0);
    }
}

TEST(ConvolutionNode, NoChannelsGiveZeros) {
    const auto x = parameter("x", {-1, -1, -1});
    const auto w = parameter("w", {-1, -1, -1});
    const auto graph =
        graph_of({x, w}, {make_node<ops::Convolution>(x, w, ops::ConvolutionAttributes{})});
    auto device = on_cpu(*graph);
    const auto ones = [](const Shape& shape) {
        return tensor_of<float>(shape, std::vector<float>(element_count(shape), 1));
    };
    EXPECT_EQ(element_at(device.run({ones({1, 2, 4}), ones({3, 2, 2})})[0], 0), 4);
    expect_same(device.run({ones({1, 0, 4}), ones({3, 0, 2})})[0],
                Tensor(ElementType::f32, {1, 3, 3}));
}

// Filters that are constants, and that come with the run; Relu is fused into both.
template <typename T>
void expect_special_filters(ElementType type, const Shape& data, const Shape& filters) {
    auto rng = test_rng();
    const ops::ConvolutionAttributes attributes{{}, {}, {1}, {2}, ops::AutoPad::explicit_pads};
    const Tensor values = random_tensor(type, data, rng);
    for (const float special : {std::nanf(""), HUGE_VALF, -HUGE_VALF}) {
        Tensor weights = random_tensor(type, filters, rng);
        if (type == ElementType::f16) {
            weights.data<float16>()[0] = float16(special);
        } else {
            weights.data<float>()[0] = special;
        }
        const auto x = parameter("x", PartialShape::of_rank(3), type);
        const auto w = parameter("w", PartialShape::of_rank(filters.size()), type);
        const auto relu = [&](const Output& w_node) {
            return make_node<ops::Unary>(ops::UnaryFunction::relu,
                                         make_node<T>(x, w_node, attributes));
        };
        const double allowed = type == ElementType::f16 ? 0.01 : 1e-5;
        expect_like_reference(*graph_of({x}, {relu(constant(weights))}), {values}, allowed);
        expect_like_reference(*graph_of({x, w}, {relu(w)}), {values, weights}, allowed);
    }
}

TEST(ConvolutionNode, PaddingIsNotMultiplied) {
    for (const ElementType type : {ElementType::f32, ElementType::f16}) {
        expect_special_filters<ops::Convolution>(type, {2, 3, 50}, {33, 3, 4});  // positions
        expect_special_filters<ops::Convolution>(type, {2, 3, 6}, {33, 3, 4});   // filters
        expect_special_filters<ops::Convolution>(type, {2, 3, 50}, {2, 3, 4});   // taps
        expect_special_filters<ops::GroupConvolution>(type, {2, 24, 6}, {24, 1, 1, 3});  // channels
    }
}

}  // namespace
}  // namespace rondo::test::convolution_node_test
