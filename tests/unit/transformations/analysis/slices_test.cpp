#include "transformations/analysis/slices.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::axis_part_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr std::int64_t kEnd = AxisPart::kEnd;

Output slice(GraphBuilder& b, const Output& data, std::int64_t start, std::int64_t stop,
             std::int64_t step = 1) {
    return b.make<ops::Slice>("", data, b.ints({start}), b.ints({stop}), b.ints({step}),
                              b.ints({1}));
}

void expect_part(const Output& value, std::int64_t start, std::int64_t stop) {
    const auto part = axis_part(value);
    ASSERT_TRUE(part);
    EXPECT_EQ(part->axis, 1u);
    EXPECT_EQ(part->start, start);
    EXPECT_EQ(part->stop, stop);
}

TEST(AxisPart, ReadsWhatACutTakes) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,6]");
    expect_part(slice(b, x, 1, 4), 1, 4);
    expect_part(slice(b, x, -2, 100), 4, kEnd);
    expect_part(b.make<ops::Gather>("", x, b.ints({2, 3}), b.ints({1})), 2, 4);
    const auto split = b.make<ops::Split>("", x, b.constant(test::scalar_of<std::int64_t>(-1)), 3);
    expect_part(split->output(0), 0, 2);
    expect_part(split->output(2), 4, kEnd);
    const auto lengths = b.make<ops::VariadicSplit>("", x, b.ints({1}), b.ints({1, -1}));
    expect_part(lengths->output(1), 1, kEnd);
    ops::StridedSliceMasks masks;
    masks.begin = masks.end = {1, 0};
    expect_part(
        b.make<ops::StridedSlice>("", x, b.ints({0, 3}), b.ints({0, 5}), b.ints({1, 1}), masks), 3,
        5);
}

TEST(AxisPart, KeepsTheNumbersOfAnOpenExtent) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?]");
    expect_part(slice(b, x, -2, 2147483647), -2, kEnd);
    expect_part(slice(b, x, 0, -2), 0, -2);
    const Output axis = b.constant(test::scalar_of<std::int64_t>(1));
    EXPECT_FALSE(axis_part(b.make<ops::Split>("", x, axis, 2)->output(0)));
    EXPECT_FALSE(axis_part(b.make<ops::Gather>("", x, b.ints({2}), b.ints({1}))));
}

TEST(AxisPart, RefusesOtherOrdersAndSeveralAxes) {
    GraphBuilder b;
    const Output x = b.input("x", "[4,6]");
    EXPECT_FALSE(axis_part(slice(b, x, 0, 6, 2)));
    EXPECT_FALSE(axis_part(b.make<ops::Gather>("", x, b.ints({3, 2}), b.ints({1}))));
    EXPECT_FALSE(
        axis_part(b.make<ops::Slice>("", x, b.ints({0, 0}), b.ints({2, 2}), b.ints({1, 1}))));
    EXPECT_FALSE(axis_part(x));
}

TEST(AxisPart, JoinsNeighbours) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?]");
    const auto joined = [&](std::int64_t a, std::int64_t c, std::int64_t d, std::int64_t e) {
        return joined_parts({x, 1, a, c}, {x, 1, d, e});
    };
    EXPECT_TRUE(joined(0, 2, 2, kEnd)->is_whole());
    EXPECT_EQ(joined(1, 2, 2, 5)->stop, 5);
    EXPECT_TRUE(joined(0, -2, -2, kEnd)->is_whole());
    EXPECT_FALSE(joined(0, 2, 3, kEnd));
    EXPECT_FALSE(joined(0, 2, 2, -1));      // the last one may lie before element 2
    EXPECT_FALSE(joined(1, -2, -2, kEnd));  // likewise
    EXPECT_FALSE(joined(0, 5, 5, 3));
    EXPECT_FALSE(joined_parts({x, 1, 0, 2}, {x, 0, 2, kEnd}));
}

}  // namespace
}  // namespace rondo::passes::axis_part_test
