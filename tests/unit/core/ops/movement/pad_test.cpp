#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::pad_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

using Mode = ops::PadMode;

std::string shape_after(std::string_view data, const Output& begin, const Output& end,
                        Mode mode = Mode::constant) {
    return inferred(*named<ops::Pad>(std::vector<Output>{parameter(data), begin, end}, mode));
}

std::string shape_after(std::string_view data, const Ints& begin, const Ints& end,
                        Mode mode = Mode::constant) {
    return shape_after(data, ints(begin), ints(end), mode);
}

Tensor padded(const std::string& mode, const Tensor& data, const Ints& begin, const Ints& end) {
    const auto node = unchecked<ops::Pad>({});
    read_attributes(*node, {{"pad_mode", mode}});
    return evaluate_one(*node, {data, int_vector(begin), int_vector(end)});
}

TEST(Pad, ReadsAndWritesItsAttributes) {
    ops::Pad op;
    EXPECT_EQ(attributes_of(op), (Texts{{"pad_mode", "constant"}}));
    for (const std::string mode : {"edge", "reflect", "symmetric", "wrap", "constant"}) {
        read_attributes(op, {{"pad_mode", mode}});
        EXPECT_EQ(attributes_of(op), (Texts{{"pad_mode", mode}}));
        EXPECT_EQ(op.op_type().opset, mode == "wrap" ? 0 : 12) << mode;
    }
    expect_error<ModelError>(
        [&] {
            read_attributes(op, {{"pad_mode", "circular"}});
        },
        "attribute 'pad_mode' is 'circular'; expected one");
}

TEST(Pad, ReadsTheOlderForm) {
    EXPECT_EQ(ops::find_op("Pad", "opset1")->type->opset, 1);
    EXPECT_EQ(ops::find_op("Pad", "opset1")->make()->op_type().opset, 12);
    EXPECT_EQ(ops::find_op("Pad", "opset12")->type->opset, 12);
    EXPECT_EQ(ops::find_op("Pad", "rondo1")->type->opset, 0);
}

TEST(Pad, AddsThePadsToTheExtents) {
    EXPECT_EQ(shape_after("2,3", {1, 0}, {2, 4}), "f32[5,7]");
    EXPECT_EQ(shape_after("5,6", {-2, 1}, {1, -3}), "f32[4,4]");
    EXPECT_EQ(shape_after("?,2..5", {1, 0}, {2, 1}), "f32[3..,3..6]");
    EXPECT_EQ(shape_after("?,2..5", {-1, -2}, {-2, -1}), "f32[?,..2]");
    EXPECT_EQ(shape_after("", Ints{}, Ints{}), "f32[]");
    EXPECT_EQ(shape_after("0", {2}, {1}), "f32[3]");
}

TEST(Pad, KnowsTheRankWithoutThePads) {
    EXPECT_EQ(shape_after("2,3", unknown_ints("2"), ints({1, 1})), "f32[?,?]");
    EXPECT_EQ(shape_after("2,3", unknown_ints("?"), unknown_ints("...")), "f32[?,?]");
    EXPECT_EQ(shape_after("...", unknown_ints("3"), unknown_ints("?")), "f32[?,?,?]");
    EXPECT_EQ(shape_after("...", unknown_ints("?"), ints({1, 2})), "f32[?,?]");
    EXPECT_EQ(shape_after("...", unknown_ints("?"), unknown_ints("?")), "f32[...]");
}

TEST(Pad, RefusesWrongInputs) {
    const auto refused = [](std::string_view data, const Ints& begin, const Ints& end,
                            std::string_view message) {
        expect_error<ModelError>([&] { shape_after(data, begin, end); }, message);
    };
    refused("2,3", {1}, {1, 1},
            "node 'n' (Pad): pads_begin has 1 element, but data has shape [2,3]; expected 2, one "
            "an axis");
    refused("2,3", {1, 1}, {1, 1, 1}, "pads_end has 3 elements");
    refused("...", {1}, {1, 1}, "pads_end has 2 elements");
    refused("2,3", {-2, 0}, {-1, 0}, "pads take 3 elements away from an axis of 2");
    refused("2..4", {-5}, {0}, "pads take 5 elements away from an axis of 2..4");
    refused("2", {kHighest}, {0}, "pads_begin holds 9223372036854775807, which is too large");
    refused("2", {0}, {kLowest}, "pads_end holds -9223372036854775808, which is too large");
    refused("140737488355328", {2}, {0}, "expected extents up to");
    expect_error<ModelError>([] { shape_after("2", parameter("1"), ints({1})); },
                             "pads_begin has type f32; expected integers");
    const auto lonely = unchecked<ops::Pad>({parameter("2"), ints({1})});
    expect_error<ModelError>([&] { lonely->validate(); }, "got 2 inputs; expected 3 to 4");
}

TEST(Pad, NeedsAnElementToRepeat) {
    for (const Mode mode : {Mode::edge, Mode::reflect, Mode::symmetric, Mode::wrap}) {
        expect_error<ModelError>(
            [&] {
                shape_after("2,0", Ints{0, 1}, Ints{0, 1}, mode);
            },
            "axis 1 keeps no element that could be repeated");
        EXPECT_EQ(shape_after("2,0", {1, 0}, {1, 0}, mode), "f32[4,0]");
    }
    EXPECT_EQ(shape_after("2", {-3}, {4}, Mode::edge), "f32[3]");
    expect_error<ModelError>([] { shape_after("2", {-3}, {4}, Mode::wrap); }, "axis 0 keeps no");
}

TEST(Pad, ChecksTheValueOfTheConstantModeAlone) {
    const auto with_value = [](const Output& value, Mode mode) {
        named<ops::Pad>(std::vector<Output>{parameter("2"), ints({1}), ints({1}), value}, mode);
    };
    expect_error<ModelError>([&] { with_value(scalar_int(0), Mode::constant); },
                             "input 3 has type i64; expected f32");
    expect_error<ModelError>([&] { with_value(parameter("1"), Mode::constant); },
                             "pad_value has shape [1]; expected rank 0");
    with_value(scalar_int(0), Mode::edge);
}

TEST(Pad, PutsElementsAround) {
    const auto data = counting({2, 3});
    expect_same(padded("constant", data, {1, 0}, {0, 2}),
                floats({3, 5}, {0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 5, 0, 0}));
    expect_same(padded("edge", data, {1, 0}, {0, 2}),
                floats({3, 5}, {0, 1, 2, 2, 2, 0, 1, 2, 2, 2, 3, 4, 5, 5, 5}));
    expect_same(padded("reflect", data, {1, 2}, {0, 0}),
                floats({3, 5}, {5, 4, 3, 4, 5, 2, 1, 0, 1, 2, 5, 4, 3, 4, 5}));
    expect_same(padded("symmetric", data, {0, 1}, {1, 0}),
                floats({3, 4}, {0, 0, 1, 2, 3, 3, 4, 5, 3, 3, 4, 5}));
    expect_same(padded("wrap", data, {0, 1}, {1, 1}),
                floats({3, 5}, {2, 0, 1, 2, 0, 5, 3, 4, 5, 3, 2, 0, 1, 2, 0}));
    expect_same(padded("constant", data, {-1, 1}, {0, -2}), floats({1, 2}, {0, 3}));
    expect_same(padded("edge", counting({}), {}, {}), counting({}));
    expect_same(padded("constant", counting({0, 2}), {1, 0}, {0, 0}), floats({1, 2}, {0, 0}));
}

TEST(Pad, WritesTheValueOfEveryType) {
    ops::Pad op;
    for (const ElementType type : kAllTypes) {
        const auto value = converted(scalar_of(1.0f), type);
        const auto data = converted(floats({2}, {0, 1}), type);
        expect_same(evaluate_one(op, {data, int_vector({1}), int_vector({2}), value}),
                    converted(floats({5}, {1, 0, 1, 1, 1}), type));
    }
    expect_moves_every_type(op, counting({2, 3}), {int_vector({1, 0}), int_vector({0, 1})});
}

}  // namespace
}  // namespace rondo::pad_test
