// Tests a part of transformations/analysis/slices.hpp.
#include "transformations/analysis/slices.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::reversed_axis_test {
namespace {

using Ints = std::vector<std::int64_t>;
constexpr std::int64_t kLeast = -2147483648;

std::optional<std::size_t> axis_of(const char* shape, const Ints& start, const Ints& stop,
                                   const Ints& step, const Ints& axes) {
    test::GraphBuilder b;
    const Output x = b.input("x", shape);
    const auto slice =
        b.make<ops::Slice>("", x, b.ints(start), b.ints(stop), b.ints(step), b.ints(axes));
    return reversed_axis(*slice);
}

TEST(ReversedAxis, IsTakenFromTheLastElementToTheFirst) {
    EXPECT_EQ(axis_of("[?,?,3]", {-1}, {kLeast}, {-1}, {1}), 1u);
    EXPECT_EQ(axis_of("[?,?,3]", {-1}, {kLeast + 1}, {-1}, {0}), 0u);
    EXPECT_EQ(axis_of("[2,5,3]", {-1}, {-6}, {-1}, {1}), 1u);
    EXPECT_EQ(axis_of("[2,5,3]", {4}, {-9}, {-1}, {-2}), 1u);
    EXPECT_EQ(axis_of("[2,?,3]", {0, -1}, {2147483647, kLeast}, {1, -1}, {0, 1}), 1u);
}

TEST(ReversedAxis, IsNotAPartOfAnAxisOrTwoOfThem) {
    EXPECT_FALSE(axis_of("[2,5,3]", {3}, {-9}, {-1}, {1}));
    EXPECT_FALSE(axis_of("[2,5,3]", {-1}, {0}, {-1}, {1}));
    EXPECT_FALSE(axis_of("[2,5,3]", {-1}, {-9}, {-2}, {1}));
    EXPECT_FALSE(axis_of("[2,?,3]", {-1}, {-6}, {-1}, {1}));
    EXPECT_FALSE(axis_of("[2,?,3]", {5}, {kLeast}, {-1}, {1}));
    EXPECT_FALSE(axis_of("[2,5,3]", {-1, -1}, {-9, -9}, {-1, -1}, {0, 1}));
    EXPECT_FALSE(axis_of("[2,5,3]", {0}, {5}, {1}, {1}));
    test::GraphBuilder b;
    EXPECT_FALSE(reversed_axis(b.transpose(b.input("x", "[2,3]"), {1, 0}).node()));
}

std::optional<std::size_t> axis_of_gather(const Ints& indices, std::int64_t batch_dims = 0) {
    test::GraphBuilder b;
    const auto gather =
        b.make<ops::Gather>("", b.input("x", "[3,3,2]"), b.ints(indices), b.ints({-2}), batch_dims);
    return reversed_axis(*gather);
}

TEST(ReversedAxis, ByAGatherOfAllIndicesBackward) {
    EXPECT_EQ(axis_of_gather({2, 1, 0}), 1u);
    EXPECT_EQ(axis_of_gather({-1, 1, -3}), 1u);
    EXPECT_FALSE(axis_of_gather({2, 0, 1}));
    EXPECT_FALSE(axis_of_gather({1, 0}));
    EXPECT_FALSE(axis_of_gather({2, 1, 0, 0}));
}

std::optional<std::size_t> axis_of_reversal(const char* shape, const Ints& lengths) {
    test::GraphBuilder b;
    const auto node = b.make<ops::ReverseSequence>("", b.input("x", shape), b.ints(lengths), 0, -2);
    return reversed_axis(*node);
}

TEST(ReversedAxis, ByAReverseSequenceOfWholeRows) {
    EXPECT_EQ(axis_of_reversal("[2,5,3]", {5, 5}), 1u);
    EXPECT_FALSE(axis_of_reversal("[2,5,3]", {5, 4}));
    EXPECT_FALSE(axis_of_reversal("[2,?,3]", {5, 5}));
}

}  // namespace
}  // namespace rondo::passes::reversed_axis_test
