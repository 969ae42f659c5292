// Tests a part of transformations/streaming/starting_extent.hpp.
#include "transformations/streaming/starting_extent.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/bodies.hpp"

namespace rondo::passes::probed_extents_test {
namespace {

using namespace test;  // NOLINT: tests only

// x [?,4] without a part of its rows + s [?,4].
std::shared_ptr<Graph> sum(std::int64_t first) {
    GraphBuilder b;
    const Output s = b.input("s", "[?,4]");
    const Output x = b.input("x", "[?,4]");
    const Output rows =
        b.make<ops::Slice>("", x, b.ints({first}), b.ints({1 << 30}), b.ints({1}), b.ints({0}));
    b.output("next", add(b, s, rows));
    return b.graph();
}

TEST(ProbedExtents, FindsTheRowsThatFit) {
    const auto found = probed_extents(*sum(0), {{0, 0}}, {{0, 0}});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->input, 1U);
    EXPECT_EQ(found->axis, 0U);
}

// Two rows fewer, or an axis that fits any number: no extent is that of the state.
TEST(ProbedExtents, FindsNothingWhereNoneFits) {
    EXPECT_FALSE(probed_extents(*sum(2), {{0, 0}}, {{0, 0}}));
    GraphBuilder b;
    const Output s = b.input("s", "[?]");
    b.output("next", add(b, s, s));
    b.output("y", b.input("x", "[?,?]"));
    EXPECT_FALSE(probed_extents(*b.graph(), {{0, 0}}, {{0, 0}}));
}

// Both x [?,4] and z [4,?] must have as many rows as s.
TEST(ProbedExtents, FindsNothingWhereTwoMustFit) {
    GraphBuilder b;
    const Output s = b.input("s", "[?,4]");
    const Output x = b.input("x", "[?,4]");
    const Output z = b.transpose(b.input("z", "[4,?]"), {1, 0});
    b.output("next", add(b, add(b, s, x), z));
    EXPECT_FALSE(probed_extents(*b.graph(), {{0, 0}}, {{0, 0}}));
}

// A pattern of 1536 numbers isn't supported, so that fewer are tried.
TEST(ProbedExtents, GoesOnWhereALengthIsNotSupported) {
    GraphBuilder b;
    const Output s = b.input("s", "[?,4]");
    const Output x = b.input("x", "[?,4]");
    const Output pattern = b.input("pattern", "[?]", ElementType::i64);
    b.output("y", b.make<ops::Reshape>("", x, pattern));
    b.output("next", add(b, s, x));
    const auto found = probed_extents(*b.graph(), {{0, 1}}, {{0, 0}});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->input, 1U);
    EXPECT_EQ(found->axis, 0U);
}

}  // namespace
}  // namespace rondo::passes::probed_extents_test
