#include "core/extents/integers.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::integers_test {
namespace {

using test::extent_of;
using test::GraphBuilder;

// "3", "x.1", or "?" where it isn't known.
std::string text(const std::optional<ShapeElement>& element) {
    if (!element) return "?";
    if (element->number) return std::to_string(*element->number);
    return element->tensor.node().name() + "." + std::to_string(element->axis);
}

std::string text(const Output& vector) {
    const auto elements = shape_elements(vector);
    if (!elements) return "?";
    std::string all;
    for (const auto& element : *elements) all += (all.empty() ? "" : " ") + text(element);
    return all;
}

TEST(ShapeElements, ComeFromShapesConstantsAndWhatJoinsThem) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,7,?]");
    EXPECT_EQ(text(b.make<ops::ShapeOf>("", x)), "x.0 7 x.2");
    const Output scalar = b.constant(test::scalar_of<std::int64_t>(2));
    const Output last = b.make<ops::Gather>("", b.make<ops::ShapeOf>("", x), scalar, b.ints({0}));
    EXPECT_EQ(text(shape_element(last, 0)), "x.2");
    const std::vector<Output> parts{b.unsqueeze(last, {0}), b.ints({-1, 5}), extent_of(b, x, -3)};
    EXPECT_EQ(text(b.make<ops::Concat>("", parts, 0)), "x.2 -1 5 x.0");
}

TEST(ShapeElements, GoThroughSlices) {
    GraphBuilder b;
    const Output shape = b.make<ops::ShapeOf>("", b.input("x", "[?,7,?]"));
    const auto slice = [&](std::int64_t start, std::int64_t stop, std::int64_t step) {
        return b.make<ops::Slice>("", shape, b.ints({start}), b.ints({stop}), b.ints({step}));
    };
    EXPECT_EQ(text(slice(1, 9, 1)), "7 x.2");
    EXPECT_EQ(text(slice(-1, -9, -2)), "x.2 x.0");
    ops::StridedSliceMasks masks{{0}, {1}, {0}, {0}, {0}};
    EXPECT_EQ(
        text(b.make<ops::StridedSlice>("", shape, b.ints({1}), b.ints({0}), b.ints({1}), masks)),
        "7 x.2");
    masks = {{0}, {0}, {0}, {1}, {0}};
    const Output one =
        b.make<ops::StridedSlice>("", shape, b.ints({-1}), b.ints({0}), b.ints({1}), masks);
    EXPECT_EQ(text(shape_element(one, 0)), "x.2");
}

TEST(ShapeElements, GoThroughConverts) {
    GraphBuilder b;
    const Output shape = b.make<ops::ShapeOf>("", b.input("x", "[?,7]"));
    const Output floats = b.make<ops::Convert>("", shape, ElementType::f32);
    const Output joined = b.make<ops::Concat>(
        "", std::vector<Output>{floats, b.constant(test::tensor_of<float>({1}, {3}))}, 0);
    EXPECT_EQ(text(b.make<ops::Convert>("", joined, ElementType::i64)), "x.0 7 3");
    const Output bytes = b.make<ops::Convert>("", shape, ElementType::u8);
    EXPECT_EQ(text(bytes), "?") << "a byte holds no extent above 255";
    const Output half = b.make<ops::Concat>(
        "", std::vector<Output>{floats, b.constant(test::tensor_of<float>({1}, {0.5F}))}, 0);
    EXPECT_EQ(text(half), "?");
}

TEST(ShapeElements, AreTheirOwnProduct) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?]");
    const auto product = [&](const Output& of) {
        return b.make<ops::Reduce>("", ops::ReduceFunction::prod, of, b.ints({0}), false);
    };
    EXPECT_EQ(text(shape_element(product(extent_of(b, x, 1)), 0)), "x.1");
    EXPECT_EQ(text(shape_element(product(b.make<ops::ShapeOf>("", x)), 0)), "?");
}

// PyTorch's expand(): -1 asks for the extent of the data.
TEST(ShapeElements, GoThroughSelectsWhoseConditionIsCertain) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,7]");
    const Output asked =
        b.make<ops::Concat>("", std::vector<Output>{extent_of(b, x, 0), b.ints({-1, 4})}, 0);
    const Output none =
        b.make<ops::Broadcast>("", b.constant(test::scalar_of<std::int64_t>(-1)), b.ints({3}));
    const Output is_none = b.make<ops::Compare>("", ops::CompareFunction::equal, asked, none);
    EXPECT_EQ(text(b.make<ops::Select>("", is_none, b.ints({1, 1, 1}), asked)), "x.0 1 4");
    const Output is_given = b.make<ops::Unary>("", ops::UnaryFunction::logical_not, is_none);
    EXPECT_EQ(text(b.make<ops::Select>("", is_given, asked, b.ints({1}))), "x.0 1 4");
    const Output is_one = b.make<ops::Compare>("", ops::CompareFunction::equal, asked, b.ints({1}));
    EXPECT_EQ(text(b.make<ops::Select>("", is_one, b.ints({2}), asked)), "?") << "x.0 may be 1";
}

TEST(ShapeElements, GoThroughSplitsAndNeutralArithmetic) {
    GraphBuilder b;
    const Output shape = b.make<ops::ShapeOf>("", b.input("x", "[?,7,?,3]"));
    const Output axis = b.constant(test::scalar_of<std::int64_t>(0));
    const auto split = b.make<ops::Split>("", shape, axis, 2);
    EXPECT_EQ(text(split->output(1)), "x.2 3");
    const auto parts = b.make<ops::VariadicSplit>("", shape, b.ints({0}), b.ints({1, -1}));
    EXPECT_EQ(text(parts->output(1)), "7 x.2 3");
    const Output factors = b.ints({1, 2, 1, 0});
    EXPECT_EQ(text(b.make<ops::Binary>("", ops::BinaryFunction::multiply, shape, factors)),
              "x.0 14 x.2 0");
    EXPECT_EQ(text(b.make<ops::Binary>("", ops::BinaryFunction::maximum, shape, b.ints({0}))),
              "x.0 7 x.2 3");
}

TEST(ShapeElements, MayBeProducts) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,7,?]");
    const auto product = [&](const Output& shape) {
        return IntegerReader().read(
            b.make<ops::Reduce>("", ops::ReduceFunction::prod, shape, b.ints({0}), false), 0);
    };
    EXPECT_EQ(product(b.make<ops::ShapeOf>("", x)),
              ExtentSum(7).times(ExtentSum::of(x, 0))->times(ExtentSum::of(x, 2)));
    EXPECT_FALSE(product(b.make<ops::ShapeOf>("", x, ElementType::i32))) << "32 bits may wrap";
}

TEST(ShapeElements, MayBeSums) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,7]");
    const Output shape = b.make<ops::ShapeOf>("", x);
    const Output sums = b.make<ops::Binary>("", ops::BinaryFunction::add, shape, shape);
    EXPECT_EQ(IntegerReader().read(sums, 0), ExtentSum::of(x, 0).times(2));
    EXPECT_EQ(IntegerReader().read(sums, 1), ExtentSum(14));
    EXPECT_FALSE(IntegerReader().read(sums, 2));
    EXPECT_EQ(text(sums), "?") << "no extent of a tensor";
}

TEST(ShapeElements, AreFloatsWhereThatIsMeant) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,7]");
    const Output floats = b.make<ops::Convert>("", b.make<ops::ShapeOf>("", x), ElementType::f32);
    const Output twice = b.make<ops::Binary>("", ops::BinaryFunction::multiply, floats,
                                             b.constant(test::tensor_of<float>({1}, {2})));
    const Output half = b.make<ops::Binary>("", ops::BinaryFunction::divide, floats,
                                            b.constant(test::tensor_of<float>({1}, {2})));
    EXPECT_FALSE(IntegerReader().read(twice, 0)) << "floats are rounded above 2^24";
    EXPECT_EQ(IntegerReader(Arithmetic::meant).read(twice, 0), ExtentSum::of(x, 0).times(2));
    EXPECT_FALSE(IntegerReader(Arithmetic::meant).read(half, 1)) << "3.5";
}

// A Reshape to as many elements as there are streams has no elements that are known.
TEST(ShapeElements, NeverLoseVariables) {
    GraphBuilder b;
    const Output data = b.input("data", "[4]", ElementType::i64);
    const Output count = b.input("count", "[1]", ElementType::i64);
    const Integers four{1, 2, 3, 4}, streams{ExtentSum::variable(0)};
    const auto view = b.make<ops::Reshape>("", data, b.ints({2, 2}), false);
    const auto made = [&](const Node& node, std::vector<std::optional<Integers>> inputs) {
        return computed_integers(node, 0, inputs, Arithmetic::meant);
    };
    EXPECT_EQ(made(*view, {four, Integers{2, 2}}), four);
    EXPECT_FALSE(made(*view, {four, Integers{2, ExtentSum::variable(0)}}));
    const auto sum = b.make<ops::Binary>("", ops::BinaryFunction::add, data, count);
    EXPECT_EQ(made(*sum, {four, streams})->at(1), ExtentSum(2).plus(ExtentSum::variable(0)));
    const auto power = b.make<ops::Binary>("", ops::BinaryFunction::power, data, count);
    EXPECT_FALSE(made(*power, {four, streams}));
    EXPECT_FALSE(made(*power, {four, Integers{2}})->at(1)) << "not followed, but it doesn't count";
}

// An extent fits 32 bits; twice as much might not.
TEST(ShapeElements, MayBeSingleExtentsOf32Bits) {
    GraphBuilder b;
    const Output shape = b.make<ops::ShapeOf>("", b.input("x", "[?,7]"), ElementType::i32);
    const auto times = [&](std::int32_t factor) {
        const Output number = b.constant(test::scalar_of<std::int32_t>(factor));
        return b.make<ops::Binary>("", ops::BinaryFunction::multiply, shape, number);
    };
    EXPECT_EQ(text(times(1)), "x.0 7");
    EXPECT_EQ(text(times(2)), "?");
}

TEST(ShapeElements, StayUnknownWhereTheyAreComputed) {
    GraphBuilder b;
    const Output shape = b.make<ops::ShapeOf>("", b.input("x", "[?,?]"));
    EXPECT_EQ(text(b.make<ops::Binary>("", ops::BinaryFunction::add, shape, b.ints({1}))), "?");
    EXPECT_EQ(text(b.input("i", "[2]", ElementType::i64)), "?");
    EXPECT_EQ(text(b.make<ops::ShapeOf>("", b.input("any", "..."))), "?");
}

}  // namespace
}  // namespace rondo::integers_test
