#include "core/ops/window/convolutions.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::convolution_test {
namespace {

using namespace test;  // NOLINT: tests only
using ops::AutoPad;
using ops::ConvolutionAttributes;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::shared_ptr<ops::Convolution> convolution(std::vector<Output> inputs,
                                              const ConvolutionAttributes& attributes = {}) {
    auto node = unchecked<ops::Convolution>(std::move(inputs));
    node->set_attributes(attributes);
    return node;
}

std::string infer(const char* data, const char* filters, const ConvolutionAttributes& attributes) {
    const auto node = convolution({parameter(data), parameter(filters)}, attributes);
    node->validate();
    return inferred(*node);
}

Tensor run(const Tensor& data, const Tensor& filters, const ConvolutionAttributes& attributes) {
    return evaluate_one(*convolution({}, attributes), {data, filters});
}

TEST(Convolution, ReadsAndWritesItsAttributes) {
    const auto node = ops::find_op("Convolution", "opset1")->make();
    read_attributes(*node, {{"strides", "1,2"},
                            {"dilations", "3, 4"},
                            {"pads_begin", "0,1"},
                            {"pads_end", "2,3"},
                            {"auto_pad", "SAME_UPPER"}});
    const std::vector<std::pair<std::string, std::string>> expected{{"strides", "1, 2"},
                                                                    {"dilations", "3, 4"},
                                                                    {"pads_begin", "0, 1"},
                                                                    {"pads_end", "2, 3"},
                                                                    {"auto_pad", "same_upper"}};
    EXPECT_EQ(attributes_of(*node), expected);
    expect_error<ModelError>(
        [&] {
            read_attributes(*node, {{"auto_pad", "some"}});
        },
        "attribute 'auto_pad' is 'some'");
}

// Expectations as OpenVINO infers them.
TEST(Convolution, InfersExtents) {
    ConvolutionAttributes attributes{{2}, {2}, {1}, {1}, AutoPad::explicit_pads};
    EXPECT_EQ(infer("1,3,8", "4,3,3", attributes), "f32[1,4,3]");
    EXPECT_EQ(infer("?,3,?", "4,3,3", attributes), "f32[?,4,?]");
    EXPECT_EQ(infer("...", "4,3,3", attributes), "f32[?,4,?]");
    EXPECT_EQ(infer("...", "...", attributes), "f32[...]");
    attributes.auto_pad = AutoPad::valid;
    EXPECT_EQ(infer("1,3,8", "4,3,3", attributes), "f32[1,4,2]");
    for (const AutoPad same : {AutoPad::same_upper, AutoPad::same_lower}) {
        attributes.auto_pad = same;
        EXPECT_EQ(infer("1,3,8", "4,3,3", attributes), "f32[1,4,4]");
        EXPECT_EQ(infer("1,3,?", "4,3,3", attributes), "f32[1,4,?]");
    }
    EXPECT_EQ(infer("1,3,4..10", "4,3,3", {{2}, {1}, {0}, {0}}), "f32[1,4,1..4]");
    EXPECT_EQ(infer("1,3,8", "...", {{2}, {1}, {0}, {0}}), "f32[1,?,..4]");
    EXPECT_EQ(infer("1,3,8", "4,3,3", {}), "f32[1,4,6]");
    EXPECT_EQ(infer("2,3,8,9", "4,3,3,1", {{1, 2}, {1, 1}, {1, 0}, {1, 0}}), "f32[2,4,8,5]");
    EXPECT_EQ(infer("2,1,4,5,6", "7,1,2,2,2", {}), "f32[2,7,3,4,5]");
    EXPECT_EQ(infer("1,3,0", "4,3,1", {}), "f32[1,4,0]");
    EXPECT_EQ(infer("1,3,?", "4,3,1", {}), "f32[1,4,?]");
}

// floor((2 - 5) / stride) + 1 is 0 or less.
TEST(Convolution, HasNoOutputWhereTheWindowIsLargerThanTheData) {
    EXPECT_EQ(infer("1,3,2", "4,3,5", {}), "f32[1,4,0]");
    EXPECT_EQ(infer("1,3,2", "4,3,5", {{4}}), "f32[1,4,0]");
    EXPECT_EQ(infer("1,3,2", "4,3,5", {{1}, {1}, {1}, {1}}), "f32[1,4,0]");
    EXPECT_EQ(infer("1,3,2", "4,3,5", {{1}, {1}, {2}, {1}}), "f32[1,4,1]");
    EXPECT_EQ(infer("1,3,2..9", "4,3,5", {}), "f32[1,4,..5]");
    EXPECT_EQ(infer("1,3,2,8", "4,3,5,3", {}), "f32[1,4,0,6]");
    EXPECT_EQ(infer("1,3,0", "4,3,3", {}), "f32[1,4,0]");
    auto rng = test_rng();
    const auto x = random_tensor(ElementType::f32, {1, 3, 2}, rng);
    const auto w = random_tensor(ElementType::f32, {4, 3, 5}, rng);
    const auto node = convolution({constant(x), constant(w)});
    EXPECT_EQ(evaluate_one(*node, {x, w}).shape(), (Shape{1, 4, 0}));
}

TEST(Convolution, RefusesShapesThatDontFit) {
    const auto refused = [](const char* data, const char* filters) {
        return [=] { infer(data, filters, {}); };
    };
    expect_error<ModelError>(refused("1,3,8", "4,2,3"),
                             "node 'n' (Convolution): the data has shape [1,3,8] but the filters "
                             "have [4,2,3]; expected as many channels");
    expect_error<ModelError>(refused("1,3", "4,3"), "the data has shape [1,3]; expected rank");
    expect_error<ModelError>(refused("...", "4,3"), "the filters have shape [4,3]; expected rank");
    expect_error<ModelError>(refused("1,3,8,8,8,8", "4,3,3,3,3,3"), "expected rank 3, 4 or 5");
    expect_error<ModelError>(refused("1,3,8", "4,3,3,3"), "filters has shape [4,3,3,3]");
    expect_error<ModelError>(refused("1,3,8", "4,3,0"), "a spatial extent of 0; expected 1 to");
    expect_error<ModelError>(refused("1,3,140737488355329", "4,3,3"), "expected extents up");
    expect_error<ModelError>(refused("1,3,8", "4,3,140737488355328"), "expected 1 to");
    const auto boolean = ElementType::boolean;
    expect_error<UnsupportedError>(
        [&] {
            convolution({parameter("1,3,8", boolean), parameter("4,3,3", boolean)})->validate();
        },
        "the inputs are boolean");
    expect_error<ModelError>([] { convolution({parameter("1,3,8")})->validate(); },
                             "got 1 input; expected 2");
}

TEST(Convolution, RefusesHostileAttributes) {
    const auto refused = [](const ConvolutionAttributes& attributes) {
        return [=] { infer("1,3,8", "4,3,3", attributes); };
    };
    expect_error<ModelError>(refused({{0}}),
                             "node 'n' (Convolution): strides[0] is 0; expected 1 to 2147483647");
    expect_error<ModelError>(refused({{-2}}), "strides[0] is -2");
    expect_error<ModelError>(refused({{1}, {-1}}), "dilations[0] is -1; expected 1 to");
    expect_error<ModelError>(refused({{1}, {1}, {-1}, {0}}), "pads_begin[0] is -1; expected 0 to");
    expect_error<ModelError>(refused({{1}, {1}, {kMost}, {kMost}}), "pads_begin[0] is 92233");
    expect_error<ModelError>(refused({{1}, {1}, {0}, {kMost}}), "pads_end[0] is 92233");
    expect_error<ModelError>(refused({{kMost}}), "strides[0] is 92233");
    expect_error<ModelError>(refused({{1}, {kMost}}), "dilations[0] is 92233");
    expect_error<ModelError>(refused({{1, 1}}),
                             "strides has 2 entries; expected 1, one a spatial axis");
    expect_error<ModelError>(refused({{1}, {1}, {0, 0}, {0}}), "pads_begin has 2 entries");
}

TEST(Convolution, TakesTheLargestAttributesWithoutOverflow) {
    const std::int64_t most = std::numeric_limits<std::int32_t>::max();
    EXPECT_EQ(infer("1,3,8", "4,3,3", {{1}, {1}, {most}, {most}}), "f32[1,4,4294967300]");
    EXPECT_EQ(infer("1,3,8", "4,3,3", {{most}, {most}, {most}, {most}}), "f32[1,4,1]");
    EXPECT_EQ(infer("1,3,8", "4,3,2147483647", {{1}, {most}, {}, {}, AutoPad::same_upper}),
              "f32[1,4,8]");
}

TEST(Convolution, IgnoresPadsThatAutoPadChooses) {
    EXPECT_EQ(infer("1,3,8", "4,3,3", {{1}, {1}, {-5, 3}, {kMost}, AutoPad::valid}), "f32[1,4,6]");
}

TEST(Convolution, ResolvesItsAxes) {
    ops::Convolution node;
    node.set_attributes({{1}, {1}, {}, {}, AutoPad::same_upper});
    EXPECT_EQ(node.axes({1, 1, 5}, {1, 1, 4})[0].pad_begin, 1);
    EXPECT_EQ(node.axes({1, 1, 5}, {1, 1, 4})[0].pad_end, 2);
    node.set_attributes({{1}, {1}, {}, {}, AutoPad::same_lower});
    EXPECT_EQ(node.axes({1, 1, 5}, {1, 1, 4})[0].pad_begin, 2);
    EXPECT_EQ(node.axes({1, 1, 5}, {1, 1, 4})[0].pad_end, 1);
    EXPECT_EQ(node.axes({1, 1, 5}, {1, 1, 4})[0].output, 5);
}

TEST(Convolution, SlidesOneFilter) {
    const auto data = tensor_of<float>({1, 1, 5}, {1, 2, 3, 4, 5});
    const auto filters = tensor_of<float>({1, 1, 3}, {1, 10, 100});  // not flipped: 100 meets last
    const auto expect = [&](const ConvolutionAttributes& attributes,
                            const std::vector<float>& expected) {
        expect_same(run(data, filters, attributes),
                    tensor_of<float>({1, 1, expected.size()}, expected));
    };
    expect({}, {321, 432, 543});
    expect({{2}}, {321, 543});
    expect({{1}, {2}}, {531});
    expect({{1}, {1}, {1}, {0}}, {210, 321, 432, 543});
    expect({{1}, {1}, {0}, {2}}, {321, 432, 543, 54, 5});
    expect({{2}, {1}, {}, {}, AutoPad::same_upper}, {210, 432, 54});
    expect({{1}, {1}, {4}, {0}}, {0, 0, 100, 210, 321, 432, 543});
}

TEST(Convolution, PutsTheOddZeroWhereAutoPadSays) {
    const auto data = tensor_of<float>({1, 1, 3}, {1, 2, 3});
    const auto filters = tensor_of<float>({1, 1, 2}, {1, 10});
    expect_same(run(data, filters, {{1}, {1}, {}, {}, AutoPad::same_upper}),
                tensor_of<float>({1, 1, 3}, {21, 32, 3}));
    expect_same(run(data, filters, {{1}, {1}, {}, {}, AutoPad::same_lower}),
                tensor_of<float>({1, 1, 3}, {10, 21, 32}));
}

TEST(Convolution, SumsOverChannels) {
    const auto data = tensor_of<float>({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    const auto filters = tensor_of<float>({3, 2, 1}, {1, 0, 0, 1, 1, 10});
    expect_same(run(data, filters, {}),
                tensor_of<float>({2, 3, 2}, {1, 2, 3, 4, 31, 42, 5, 6, 7, 8, 75, 86}));
}

struct Case {
    Shape data;
    Shape filters;
    ConvolutionAttributes attributes;
};

// The same sum the other way round: every element of the data is scattered to the outputs that see
// it. `data` and `filters` have two spatial axes, and explicit pads.
Tensor scattered(const Tensor& data, const Tensor& filters, const ConvolutionAttributes& at,
                 const Shape& result) {
    Tensor sum(ElementType::f64, result);
    const auto& d = data.shape();
    const auto& f = filters.shape();
    for (std::size_t i = 0; i < data.size(); ++i) {
        const std::size_t n = i / (d[1] * d[2] * d[3]);
        const std::size_t c = i / (d[2] * d[3]) % d[1];
        const auto y = static_cast<std::int64_t>(i / d[3] % d[2]);
        const auto x = static_cast<std::int64_t>(i % d[3]);
        for (std::size_t k = 0; k < filters.size(); ++k) {
            if (k / (f[2] * f[3]) % f[1] != c) continue;
            const auto ky = static_cast<std::int64_t>(k / f[3] % f[2]);
            const auto kx = static_cast<std::int64_t>(k % f[3]);
            const std::int64_t top = y + at.pads_begin[0] - ky * at.dilations[0];
            const std::int64_t left = x + at.pads_begin[1] - kx * at.dilations[1];
            if (top < 0 || left < 0 || top % at.strides[0] != 0 || left % at.strides[1] != 0) {
                continue;
            }
            const auto oy = static_cast<std::size_t>(top / at.strides[0]);
            const auto ox = static_cast<std::size_t>(left / at.strides[1]);
            if (oy >= result[2] || ox >= result[3]) continue;
            const std::size_t o = k / (f[1] * f[2] * f[3]);
            sum.data<double>()[((n * result[1] + o) * result[2] + oy) * result[3] + ox] +=
                data.data<double>()[i] * filters.data<double>()[k];
        }
    }
    return sum;
}

TEST(Convolution, AgreesWithScattering) {
    auto rng = test_rng();
    const Case cases[] = {
        {{2, 3, 7, 6}, {4, 3, 3, 2}, {{1, 1}, {1, 1}, {0, 0}, {0, 0}}},
        {{1, 2, 9, 8}, {2, 2, 3, 3}, {{2, 3}, {2, 1}, {1, 2}, {3, 0}}},
        {{1, 1, 5, 5}, {3, 1, 5, 1}, {{3, 2}, {1, 3}, {4, 0}, {4, 0}}},
    };
    for (const auto& [data_shape, filter_shape, attributes] : cases) {
        SCOPED_TRACE(to_string(data_shape));
        const auto data = random_tensor(ElementType::f64, data_shape, rng);
        const auto filters = random_tensor(ElementType::f64, filter_shape, rng);
        const auto result = run(data, filters, attributes);
        expect_near(result, scattered(data, filters, attributes, result.shape()), 1e-13);
    }
}

TEST(Convolution, SlidesOverThreeAxes) {
    const auto data = tensor_of<float>({1, 1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    const auto filters = tensor_of<float>({1, 1, 2, 1, 2}, {1, 10, 100, 1000});
    expect_same(run(data, filters, {}), tensor_of<float>({1, 1, 1, 2, 1}, {6521, 8743}));
}

TEST(Convolution, ComputesIntegersAndEmptyData) {
    const auto data = tensor_of<std::uint8_t>({1, 1, 3}, {200, 100, 50});
    const auto filters = tensor_of<std::uint8_t>({1, 1, 2}, {1, 1});
    expect_same(run(data, filters, {}), tensor_of<std::uint8_t>({1, 1, 2}, {44, 150}));
    EXPECT_EQ(
        run(Tensor(ElementType::f32, {0, 1, 3}), Tensor(ElementType::f32, {2, 1, 2}), {}).shape(),
        (Shape{0, 2, 2}));
    expect_same(run(Tensor(ElementType::f32, {1, 0, 3}), Tensor(ElementType::f32, {1, 0, 2}), {}),
                Tensor(ElementType::f32, {1, 1, 2}));
    EXPECT_EQ(run(Tensor(ElementType::f32, {1, 1, 0}), Tensor(ElementType::f32, {1, 1, 2}),
                  {{1}, {1}, {}, {}, AutoPad::same_upper})
                  .shape(),
              (Shape{1, 1, 0}));
}

}  // namespace
}  // namespace rondo::convolution_test
