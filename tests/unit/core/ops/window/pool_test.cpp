#include "core/ops/window/pool.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::pool_test {
namespace {

using namespace test;  // NOLINT: tests only
using ops::AutoPad;
using ops::PoolAttributes;
using ops::PoolRounding;

template <typename T>
std::shared_ptr<T> pool(const PoolAttributes& attributes) {
    auto node = unchecked<T>({});
    node->set_attributes(attributes);
    return node;
}

std::string infer(const char* data, const PoolAttributes& attributes,
                  ElementType type = ElementType::f32) {
    const auto node = pool<ops::MaxPool>(attributes);
    node->set_inputs({parameter(data, type)});
    node->validate();
    EXPECT_EQ(to_string(node->output_shape(1)), to_string(node->output_shape(0)));
    return inferred(*node);
}

TEST(Pool, ReadsAndWritesItsAttributes) {
    const auto max = ops::find_op("MaxPool", "opset14")->make();
    const std::map<std::string, std::string> texts{
        {"strides", "2"},    {"dilations", "3"},
        {"pads_begin", "1"}, {"pads_end", "0"},
        {"kernel", "2"},     {"rounding_type", "ceil_torch"},
        {"axis", "2"},       {"index_element_type", "i32"}};
    read_attributes(*max, texts);
    for (const auto& [name, value] : attributes_of(*max)) {
        EXPECT_EQ(value, texts.count(name) != 0 ? texts.at(name) : "explicit") << name;
    }
    const auto mean = ops::find_op("AvgPool", "opset16")->make();
    read_attributes(*mean, {{"kernel", "2"}, {"exclude-pad", "false"}});
    EXPECT_FALSE(dynamic_cast<const ops::AvgPool&>(*mean).exclude_pad());
    EXPECT_NE(ops::find_op("AvgPool", "opset1"), nullptr);
    EXPECT_NE(ops::find_op("MaxPool", "opset8"), nullptr);
}

TEST(Pool, InfersExtents) {
    PoolAttributes attributes{{{2}, {1}, {1}, {0}}, {3}};
    EXPECT_EQ(infer("1,3,8", attributes), "f32[1,3,4]");
    EXPECT_EQ(infer("...", attributes), "f32[?,?,?]");
    EXPECT_EQ(infer("?,?,4..9", attributes), "f32[?,?,2..4]");
    attributes.rounding = PoolRounding::ceil;
    EXPECT_EQ(infer("1,3,9", attributes), "f32[1,3,5]");
    attributes.window.auto_pad = AutoPad::same_upper;
    EXPECT_EQ(infer("1,3,9", attributes), "f32[1,3,5]");
    attributes.window.auto_pad = AutoPad::valid;
    EXPECT_EQ(infer("1,3,8", attributes), "f32[1,3,4]");
    EXPECT_EQ(infer("1,3,8,9", {{}, {2, 3}}, ElementType::u8), "u8[1,3,7,7]");
    // The second window would start in the pads.
    EXPECT_EQ(infer("1,1,2", {{{3}, {}, {0}, {2}}, {2}, PoolRounding::ceil}), "f32[1,1,2]");
    EXPECT_EQ(infer("1,1,2", {{{3}, {}, {0}, {2}}, {2}, PoolRounding::ceil_torch}), "f32[1,1,1]");
}

TEST(Pool, HasAWindowThatIsNotWholeWhereItStartsInsideTheData) {
    for (const auto rounding : {PoolRounding::ceil, PoolRounding::ceil_torch}) {
        EXPECT_EQ(infer("1,1,1", {{{2}}, {2}, rounding}), "f32[1,1,1]");
        EXPECT_EQ(infer("1,1,2", {{{2}}, {3}, rounding}), "f32[1,1,1]");
        EXPECT_EQ(infer("1,1,1", {{{3}, {}, {1}, {1}}, {5}, rounding}), "f32[1,1,1]");
        EXPECT_EQ(infer("1,1,1..3", {{{2}}, {2}, rounding}), "f32[1,1,1..2]");
        // Its start would be a whole stride before the first.
        EXPECT_EQ(infer("1,1,1", {{{2}}, {3}, rounding}), "f32[1,1,0]");
        EXPECT_EQ(infer("1,1,1", {{}, {2}, rounding}), "f32[1,1,0]");
    }
    const auto x = tensor_of<float>({1, 1, 1}, {-3});
    const PoolAttributes two{{{2}}, {2}, PoolRounding::ceil_torch};
    expect_same(evaluate_one(*pool<ops::MaxPool>(two), {x}), x);
    expect_same(evaluate_one(*pool<ops::AvgPool>(two), {x}), x);
}

TEST(Pool, HasNoWindowOfOneElementWhereThereIsNone) {
    EXPECT_EQ(infer("1,1,0,4", {{}, {1, 3}}), "f32[1,1,0,2]");
    EXPECT_EQ(infer("1,1,?", {{}, {1}}), "f32[1,1,?]");
    EXPECT_EQ(infer("1,1,0", {{}, {2}}), "f32[1,1,0]");
}

TEST(Pool, HasNoWindowThatIsLargerThanTheData) {
    EXPECT_EQ(infer("1,3,8", {{}, {9}}), "f32[1,3,0]");
    EXPECT_EQ(infer("1,3,8", {{{2}}, {9}}), "f32[1,3,0]");
    EXPECT_EQ(infer("1,3,8", {{{1}, {4}}, {3}}), "f32[1,3,0]");
    EXPECT_EQ(infer("1,3,8,4", {{}, {9, 2}}), "f32[1,3,0,3]");
    EXPECT_EQ(infer("1,3,4..9", {{}, {6}}), "f32[1,3,..4]");
    const auto x = tensor_of<float>({1, 1, 2}, {1, 2});
    const std::vector<Tensor> inputs{x};
    for (const auto& output : reference::evaluate(*pool<ops::MaxPool>({{}, {3}}), inputs)) {
        EXPECT_EQ(output.shape(), (Shape{1, 1, 0}));
    }
    EXPECT_EQ(evaluate_one(*pool<ops::AvgPool>({{}, {3}}), {x}).shape(), (Shape{1, 1, 0}));
}

TEST(Pool, RefusesWhatDoesntFit) {
    const auto refused = [](const char* data, const PoolAttributes& attributes) {
        return [=] { infer(data, attributes); };
    };
    expect_error<ModelError>(refused("1,3,8", {}), "kernel has 0 entries; expected 1, 2 or 3");
    expect_error<ModelError>(refused("1,3", {{}, {2}}), "data has shape [1,3]");
    expect_error<ModelError>(refused("1,3,8", {{}, {0}}), "kernel[0] is 0; expected 1 to");
    expect_error<ModelError>(refused("1,3,8", {{{0}}, {2}}), "strides[0] is 0");
    expect_error<UnsupportedError>(
        [] {
            infer("1,3,8", {{}, {2}}, ElementType::boolean);
        },
        "the data is boolean");
    auto node = pool<ops::AvgPool>({{}, {2}});
    node->set_inputs({parameter("1,3,8", ElementType::i32)});
    expect_error<UnsupportedError>([&] { node->validate(); }, "the data is i32");
    const auto index = ops::find_op("MaxPool", "opset14")->make();
    index->set_inputs({parameter("1,3,8")});
    read_attributes(*index, {{"kernel", "2"}, {"index_element_type", "u8"}});
    expect_error<ModelError>([&] { index->validate(); }, "index_element_type is u8");
    read_attributes(*index, {{"index_element_type", "i64"}, {"axis", "3"}});
    expect_error<ModelError>([&] { index->validate(); }, "axis 3 is out of range");
}

TEST(MaxPool, TakesTheGreatestAndItsPlace) {
    const auto x = tensor_of<float>({1, 2, 4}, {1, 3, 3, 2, -1, -4, -2, -3});
    const std::vector<Tensor> inputs{x};
    const auto outputs =
        reference::evaluate(*pool<ops::MaxPool>({{{2}, {}, {1}, {1}}, {3}}), inputs);
    expect_same(outputs[0], tensor_of<float>({1, 2, 2}, {3, 3, -1, -2}));
    expect_same(outputs[1], tensor_of<std::int64_t>({1, 2, 2}, {1, 1, 4, 6}));
    auto own = pool<ops::MaxPool>({{{2}, {}, {1}, {1}}, {3}});
    read_attributes(*own, {{"axis", "2"}, {"index_element_type", "i32"}});
    expect_same(reference::evaluate(*own, inputs)[1],
                tensor_of<std::int32_t>({1, 2, 2}, {1, 1, 0, 2}));
}

TEST(MaxPool, OfIntegersAndNan) {
    const auto x = tensor_of<std::int8_t>({1, 1, 3}, {-128, -3, -5});
    expect_same(evaluate_one(*pool<ops::MaxPool>({{{3}, {}, {3}, {3}}, {3}}), {x}),
                tensor_of<std::int8_t>({1, 1, 3}, {-128, -3, -128}));
    const auto u = tensor_of<std::uint64_t>({1, 1, 2}, {1, ~std::uint64_t{0}});
    expect_same(evaluate_one(*pool<ops::MaxPool>({{}, {2}}), {u}),
                tensor_of<std::uint64_t>({1, 1, 1}, {~std::uint64_t{0}}));
    const float nan = std::nanf("");
    const auto f = tensor_of<float>({1, 1, 4}, {1, nan, 5, 2});
    expect_near(evaluate_one(*pool<ops::MaxPool>({{}, {2}}), {f}),
                tensor_of<float>({1, 1, 3}, {nan, nan, 5}), 0);
}

TEST(AvgPool, CountsElementsOrPads) {
    const auto x = tensor_of<float>({1, 1, 4}, {2, 4, 6, 8});
    const PoolAttributes padded{{{2}, {}, {1}, {1}}, {3}};
    const auto own = pool<ops::AvgPool>(padded);
    expect_same(evaluate_one(*own, {x}), tensor_of<float>({1, 1, 2}, {3, 6}));
    read_attributes(*own, {{"exclude-pad", "false"}});
    expect_same(evaluate_one(*own, {x}), tensor_of<float>({1, 1, 2}, {2, 6}));
}

// What lies after the pads counts if OpenVINO's CPU device counts it.
TEST(AvgPool, LastWindowsReachBehindThePads) {
    const auto x = tensor_of<float>({1, 1, 4}, {2, 4, 6, 8});
    const auto expect = [&](const std::vector<std::int64_t>& pads_begin, PoolRounding rounding,
                            const std::vector<float>& means) {
        const auto node = pool<ops::AvgPool>({{{3}, {}, pads_begin, {0}}, {3}, rounding});
        read_attributes(*node, {{"exclude-pad", "false"}});
        expect_same(evaluate_one(*node, {x}), tensor_of<float>({1, 1, 2}, means));
    };
    expect({1}, PoolRounding::ceil, {2, 14 / 3.0F});
    expect({1}, PoolRounding::ceil_torch, {2, 7});
    expect({0}, PoolRounding::ceil, {4, 8});  // no pads, so that only elements count
}

TEST(AvgPool, SpansSeveralAxesWithDilations) {
    const auto x = tensor_of<float>({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    expect_same(evaluate_one(*pool<ops::AvgPool>({{{}, {2, 2}}, {2, 2}}), {x}),
                tensor_of<float>({1, 1, 1, 1}, {5}));
    EXPECT_EQ(
        evaluate_one(*pool<ops::AvgPool>({{}, {2}}), {Tensor(ElementType::f32, {0, 2, 5})}).shape(),
        (Shape{0, 2, 4}));
}

}  // namespace
}  // namespace rondo::pool_test
