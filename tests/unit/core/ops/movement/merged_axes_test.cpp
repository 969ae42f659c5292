// Which axes a Reshape puts together.
#include "core/ops/movement/movement_ops.hpp"

#include <gmock/gmock.h>

#include "tests/support/graph_builder.hpp"

namespace rondo::ops::merged_axes_test {
namespace {

using test::GraphBuilder;
using testing::ElementsAre;
using testing::Optional;

std::optional<std::vector<std::size_t>> counts(const char* shape,
                                               const std::vector<std::int64_t>& pattern) {
    GraphBuilder b;
    return as<ops::Reshape>(b.reshape(b.input("x", shape), pattern))->merged_axis_counts();
}

TEST(MergedAxes, CountsTheAxesPutTogether) {
    EXPECT_THAT(counts("[?,?,2,8]", {0, 0, -1}), Optional(ElementsAre(1, 1, 2)));
    EXPECT_THAT(counts("[3,?,2,8]", {3, -1, 16}), std::nullopt) << "16 is made behind the -1";
    EXPECT_THAT(counts("[3,?,2,8]", {3, -1, 8}), Optional(ElementsAre(1, 2, 1)));
    EXPECT_THAT(counts("[3,4,2,8]", {12, 16}), Optional(ElementsAre(2, 2)));
    EXPECT_THAT(counts("[?,?]", {-1}), Optional(ElementsAre(2)));
    EXPECT_THAT(counts("[3,4,1,1]", {3, 4}), Optional(ElementsAre(1, 3)));
    EXPECT_THAT(counts("[3,1,4]", {3, 4}), Optional(ElementsAre(1, 2)));
    EXPECT_THAT(counts("[2,3]", {2, 3}), Optional(ElementsAre(1, 1)));
}

TEST(MergedAxes, KnowsNothingWhereAxesAreSplitOrOpen) {
    EXPECT_EQ(counts("[6]", {2, 3}), std::nullopt);
    EXPECT_EQ(counts("[4,6]", {8, 3}), std::nullopt);
    EXPECT_EQ(counts("[?,6]", {12}), std::nullopt);
    EXPECT_EQ(counts("...", {0, -1}), std::nullopt);
    EXPECT_EQ(counts("[2,3]", {2, 3, -1}), std::nullopt);
    EXPECT_THAT(counts("[0,3]", {0, 3}), Optional(ElementsAre(1, 1)));
    EXPECT_THAT(counts("[0,3,2]", {0, 6}), Optional(ElementsAre(1, 2)));
}

TEST(MergedAxes, AZeroMayBeANumber) {
    GraphBuilder b;
    const Output x = b.input("x", "[3,0]");
    EXPECT_EQ(as<ops::Reshape>(b.reshape(x, {0}, false))->merged_axis_counts(), std::nullopt);
}

}  // namespace
}  // namespace rondo::ops::merged_axes_test
