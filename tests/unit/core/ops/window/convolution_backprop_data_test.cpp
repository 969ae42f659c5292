#include "core/ops/window/convolutions.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::convolution_backprop_data_test {
namespace {

using namespace test;  // NOLINT: tests only
using ops::AutoPad;
using ops::BackpropAttributes;

template <typename T = ops::ConvolutionBackpropData>
std::shared_ptr<T> transposed(std::vector<Output> inputs,
                              const BackpropAttributes& attributes = {}) {
    auto node = unchecked<T>(std::move(inputs));
    node->set_attributes(attributes);
    return node;
}

template <typename T = ops::ConvolutionBackpropData>
std::string infer(const char* data, const char* filters, const BackpropAttributes& attributes = {},
                  const Output& output_shape = {}) {
    std::vector<Output> inputs{parameter(data), parameter(filters)};
    if (output_shape) inputs.push_back(output_shape);
    const auto node = transposed<T>(std::move(inputs), attributes);
    node->validate();
    return inferred(*node);
}

Output ints(const std::vector<std::int64_t>& values) {
    return constant(tensor_of<std::int64_t>({values.size()}, values));
}

TEST(ConvolutionBackpropData, ReadsAndWritesItsAttributes) {
    const auto node = ops::find_op("ConvolutionBackpropData", "opset1")->make();
    read_attributes(*node, {{"strides", "1,2"},
                            {"dilations", "3, 4"},
                            {"pads_begin", "0,1"},
                            {"pads_end", "2,3"},
                            {"auto_pad", "same_upper"},
                            {"output_padding", "0,1"}});
    const std::vector<std::pair<std::string, std::string>> expected{
        {"strides", "1, 2"},  {"dilations", "3, 4"},      {"pads_begin", "0, 1"},
        {"pads_end", "2, 3"}, {"auto_pad", "same_upper"}, {"output_padding", "0, 1"}};
    EXPECT_EQ(attributes_of(*node), expected);
}

TEST(ConvolutionBackpropData, InfersExtents) {
    const BackpropAttributes attributes{{{2}, {2}, {1}, {0}, AutoPad::explicit_pads}, {1}};
    EXPECT_EQ(infer("1,3,8", "3,4,3", attributes), "f32[1,4,19]");
    EXPECT_EQ(infer("?,?,?", "3,4,3", attributes), "f32[?,4,3..]");
    EXPECT_EQ(infer("?,?,2..4", "3,4,3", attributes), "f32[?,4,7..11]");
    EXPECT_EQ(infer("...", "3,4,3", attributes), "f32[?,4,3..]");
    EXPECT_EQ(infer("...", "..."), "f32[...]");
    EXPECT_EQ(infer("1,3,5,6", "3,4,3,1"), "f32[1,4,7,6]");
    EXPECT_EQ(infer<ops::GroupConvolutionBackpropData>("1,6,5", "2,3,4,2"), "f32[1,8,6]");
    EXPECT_EQ(infer<ops::GroupConvolutionBackpropData>("...", "2,3,4,2"), "f32[?,8,1..]");
}

TEST(ConvolutionBackpropData, TakesTheOutputShape) {
    EXPECT_EQ(infer("1,3,8", "3,4,3", {{{2}}}, ints({5})), "f32[1,4,5]");
    EXPECT_EQ(infer("1,3,8", "3,4,3", {}, parameter("1", ElementType::i64)), "f32[1,4,?]");
    const auto refused = [](const Output& shape) {
        return [=] { infer("1,3,8", "3,4,3", {}, shape); };
    };
    expect_error<ModelError>(refused(ints({5, 6})), "the output shape has 2 entries; expected 1");
    expect_error<ModelError>(refused(ints({-5})), "the output shape has an extent -5");
    expect_error<ModelError>(refused(ints({std::int64_t{1} << 62})), "the output shape has an ext");
    expect_error<ModelError>(refused(parameter("1")), "f32");
}

TEST(ConvolutionBackpropData, HasNoOutputWherePadsCutOffAllOfIt) {
    EXPECT_EQ(infer("1,3,1", "3,4,2", {{{1}, {1}, {1}, {1}}}), "f32[1,4,0]");
    EXPECT_EQ(infer("1,3,1", "3,4,2", {{{1}, {1}, {2}, {2}}}), "f32[1,4,0]");
    EXPECT_EQ(infer("1,3,0", "3,4,1", {{{2}}}), "f32[1,4,0]");
}

TEST(ConvolutionBackpropData, RefusesWhatDoesntFit) {
    expect_error<ModelError>([] { infer("1,2,8", "3,4,3"); },
                             "node 'n' (ConvolutionBackpropData): the data has shape [1,2,8]");
    expect_error<ModelError>([] { infer("1,3", "3,4"); }, "expected 1 to 3 spatial axes");
    expect_error<ModelError>(
        [] {
            infer("1,3,8", "3,4,3", {{}, {-1}});
        },
        "output_padding[0] is -1");
    expect_error<ModelError>([] { infer("1,3,140737488355328", "3,4,3", {{{2147483647}}}); },
                             "expected at most");
    expect_error<ModelError>([] { infer<ops::GroupConvolutionBackpropData>("1,5,8", "2,3,4,3"); },
                             "expected 6 channels");
    const auto boolean = ElementType::boolean;
    expect_error<UnsupportedError>(
        [&] {
            transposed({parameter("1,3,8", boolean), parameter("3,4,3", boolean)})->validate();
        },
        "the inputs are boolean");
}

TEST(ConvolutionBackpropData, ScattersTheData) {
    const auto data = tensor_of<float>({1, 1, 3}, {1, 2, 3});
    const auto filters = tensor_of<float>({1, 1, 2}, {10, 1});
    const auto expect = [&](const BackpropAttributes& attributes,
                            const std::vector<float>& expected) {
        expect_same(evaluate_one(*transposed({}, attributes), {data, filters}),
                    tensor_of<float>({1, 1, expected.size()}, expected));
    };
    expect({}, {10, 21, 32, 3});
    expect({{{2}}}, {10, 1, 20, 2, 30, 3});
    expect({{{1}, {2}}}, {10, 20, 31, 2, 3});
    expect({{{1}, {1}, {1}, {0}}}, {21, 32, 3});
    expect({{{3}}, {2}}, {10, 1, 0, 20, 2, 0, 30, 3, 0, 0});
}

TEST(ConvolutionBackpropData, PadsForTheOutputShape) {
    const auto node = make_node<ops::ConvolutionBackpropData>(
        std::vector<Output>{parameter("1,1,3"), parameter("1,1,2"), ints({3})},
        BackpropAttributes{{{}, {}, {}, {}, AutoPad::same_upper}});
    EXPECT_EQ(node->axes({1, 1, 3}, {1, 1, 2}, {1, 1, 3})[0].pad_begin, 1);
    const auto lower = make_node<ops::ConvolutionBackpropData>(
        node->inputs(), BackpropAttributes{{{}, {}, {}, {}, AutoPad::same_lower}});
    EXPECT_EQ(lower->axes({1, 1, 3}, {1, 1, 2}, {1, 1, 3})[0].pad_begin, 0);
    EXPECT_EQ(lower->axes({1, 1, 3}, {1, 1, 2}, {1, 1, 9})[0].pad_begin, 0);
}

TEST(ConvolutionBackpropData, SumsOverChannelsAndKeepsGroupsApart) {
    const auto data = tensor_of<float>({1, 2, 1}, {2, 3});
    const auto filters = tensor_of<float>({2, 2, 1}, {1, 10, 100, 1000});
    expect_same(evaluate_one(*transposed({}), {data, filters}),
                tensor_of<float>({1, 2, 1}, {302, 3020}));
    const auto grouped = tensor_of<float>({2, 1, 2, 1}, {1, 10, 100, 1000});
    expect_same(evaluate_one(*transposed<ops::GroupConvolutionBackpropData>({}), {data, grouped}),
                tensor_of<float>({1, 4, 1}, {2, 20, 300, 3000}));
}

TEST(ConvolutionBackpropData, ComputesIntegersAndEmptyData) {
    const auto data = tensor_of<std::uint8_t>({1, 1, 2}, {200, 100});
    const auto filters = tensor_of<std::uint8_t>({1, 1, 2}, {1, 1});
    expect_same(evaluate_one(*transposed({}), {data, filters}),
                tensor_of<std::uint8_t>({1, 1, 3}, {200, 44, 100}));
    expect_same(evaluate_one(*transposed({}), {Tensor(ElementType::f32, {1, 0, 3}),
                                               Tensor(ElementType::f32, {0, 2, 1})}),
                Tensor(ElementType::f32, {1, 2, 3}));
}

}  // namespace
}  // namespace rondo::convolution_backprop_data_test
