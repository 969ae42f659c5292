// Which numbers are extents for certain.

#include <gtest/gtest.h>

#include "core/extents/extent_origin.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/bodies.hpp"

namespace rondo::is_extent_test {
namespace {

using namespace test;  // NOLINT: tests only

TEST(IsExtent, KnowsConstants) {
    GraphBuilder builder;
    const Output x = builder.input("x", "?,6,5");
    EXPECT_TRUE(is_extent(i64(builder, 6), x, 1));
    EXPECT_TRUE(is_extent(builder.constant(tensor_of<float>({1}, {6})), x, 1));
    EXPECT_FALSE(is_extent(i64(builder, 5), x, 1));
    EXPECT_FALSE(is_extent(i64(builder, 6), x, 0));
}

TEST(IsExtent, FollowsWhatExportersDoWithShapes) {
    GraphBuilder builder;
    const Output x = builder.input("x", "?,?,5");
    const Output shape = builder.make<ops::ShapeOf>("", x);
    const Output one = builder.make<ops::Gather>("", shape, builder.ints({1}), i64(builder, 0));
    EXPECT_TRUE(is_extent(one, x, 1));
    EXPECT_FALSE(is_extent(one, x, 0));
    const Output narrow = builder.make<ops::Convert>("", shape, ElementType::i32);
    const Output part = builder.make<ops::Slice>("", narrow, builder.ints({1}), builder.ints({2}),
                                                 builder.ints({1}));
    const Output wide =
        builder.make<ops::Convert>("", builder.squeeze(part, {0}), ElementType::i64);
    const Output bounded =
        builder.make<ops::Binary>("", ops::BinaryFunction::maximum, wide, i64(builder, 0));
    EXPECT_TRUE(is_extent(bounded, x, 1));
    const Output least =
        builder.make<ops::Binary>("", ops::BinaryFunction::maximum, wide, i64(builder, 1));
    EXPECT_FALSE(is_extent(least, x, 1));
    const Output two = builder.make<ops::Slice>("", narrow, builder.ints({0}), builder.ints({2}),
                                                builder.ints({1}));
    EXPECT_FALSE(is_extent(two, x, 0));
}

TEST(IsExtent, KnowsTensorsOfTheSameExtent) {
    GraphBuilder builder;
    const Output x = builder.input("x", "?,?,5");
    const Output turned = builder.transpose(x, {1, 0, 2});
    const Output shape = builder.make<ops::ShapeOf>("", turned);
    const Output steps = builder.make<ops::Gather>("", shape, builder.ints({0}), i64(builder, 0));
    EXPECT_TRUE(is_extent(steps, x, 1));
    const Output other = builder.input("other", "?,?,5");
    EXPECT_FALSE(is_extent(steps, other, 1));
}

}  // namespace
}  // namespace rondo::is_extent_test
