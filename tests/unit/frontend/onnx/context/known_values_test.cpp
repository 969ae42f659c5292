#include "frontend/onnx/context/known_values.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::onnx::known_values_test {
namespace {

using ops::Binary;
using ops::BinaryFunction;

Output sum(const Output& a, const Output& b) {
    auto node = make_node<Binary>(BinaryFunction::add, a, b);
    node->set_name("sum");
    return node;
}

Output filled(std::size_t count) {
    Tensor value(ElementType::i64, {count});
    std::fill_n(value.data<std::int64_t>(), count, 1);
    return make_node<ops::Constant>(value);
}

TEST(OnnxKnownValues, AreComputedAndKeepTheName) {
    const Output x = make_node<ops::Parameter>(ElementType::f32, PartialShape{2, 3});
    const Output one = ops::make_i64({1}, "one");
    const auto found = with_known_values({sum(make_node<ops::ShapeOf>(x), one)}, {x, one});
    EXPECT_EQ(found[0].node().name(), "sum");
    test::expect_same(known_value(found[0]), test::tensor_of<std::int64_t>({2}, {3, 4}));
}

TEST(OnnxKnownValues, WhatHangsOnTheRunStays) {
    const Output x = make_node<ops::Parameter>(ElementType::i64, PartialShape{1});
    const Output open = make_node<ops::Parameter>(ElementType::f32, PartialShape{2, Dimension()});
    const Output one = ops::make_i64({1}, "one");
    const Output of_input = sum(x, one);
    const Output of_shape = sum(make_node<ops::ShapeOf>(open), one);
    const auto found = with_known_values({of_input, of_shape, x, {}}, {x, open, one});
    EXPECT_EQ(found[0], of_input);
    EXPECT_EQ(found[1], of_shape);
    EXPECT_EQ(found[2], x);
    EXPECT_FALSE(found[3]);
}

TEST(OnnxKnownValues, OneExtentMayBeKnownWhereOthersAreOpen) {
    const Output open = make_node<ops::Parameter>(ElementType::f32, PartialShape{2, Dimension()});
    const Output shape = make_node<ops::ShapeOf>(open);
    const Output axis = ops::make_i64_scalar(0, "axis");
    const auto picked = [&](std::int64_t index) {
        const Output place = ops::make_i64({index}, "place");
        const Output gather = make_node<ops::Gather>(shape, place, axis);
        return known_value(with_known_values({gather}, {shape, place})[0]);
    };
    test::expect_same(picked(0), test::tensor_of<std::int64_t>({1}, {2}));
    test::expect_same(picked(-2), test::tensor_of<std::int64_t>({1}, {2}));
    EXPECT_FALSE(picked(1));
    const Output any = make_node<ops::Parameter>(ElementType::f32, PartialShape());
    const Output of_any = make_node<ops::ShapeOf>(any);
    const Output place = ops::make_i64({0}, "place");
    const Output gather = make_node<ops::Gather>(of_any, place, axis);
    EXPECT_FALSE(known_value(with_known_values({gather}, {of_any, place})[0]));
}

TEST(OnnxKnownValues, LargeOnesAreLeftToThePasses) {
    const Output small = filled(512);
    const Output large = filled(513);
    EXPECT_TRUE(known_value(with_known_values({sum(small, small)}, {small})[0]));
    EXPECT_FALSE(known_value(with_known_values({sum(large, large)}, {large})[0]));
    const Output column = make_node<ops::Constant>(Tensor(ElementType::i64, {512, 1}));
    EXPECT_FALSE(known_value(with_known_values({sum(small, column)}, {small, column})[0]));
}

// A branch may be read that no run takes.
TEST(OnnxKnownValues, ForbiddenOnesAreAnErrorOfTheRun) {
    const Output data = ops::make_i64({1, 2}, "data");
    const Output index = ops::make_i64({5}, "index");
    const Output axis = ops::make_i64({0}, "axis");
    const Output gather = make_node<ops::Gather>(data, index, axis);
    EXPECT_EQ(with_known_values({gather}, {data, index, axis})[0], gather);
}

}  // namespace
}  // namespace rondo::onnx::known_values_test
