// Tests a part of transformations/analysis/make_shape.hpp.
#include "transformations/analysis/make_shape.hpp"

#include <gmock/gmock.h>

#include "core/graph/constants.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::make_shape_test {
namespace {

using test::GraphBuilder;

TEST(MakeShape, ReadsOnceFromEachTensor) {
    // y's rows are those of x
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,7]");
    const Output y = b.transpose(x, {1, 0, 2});
    b.output("y", y);
    const auto graph = b.graph();
    Rewriter rewriter(*graph);
    const Output made = make_shape(
        rewriter, {extent_element(y, 1), extent_element(x, 1), {4}, extent_element(y, 2)}, "made");
    ASSERT_EQ(made.node().input_count(), 2U);
    const Node& gather = made.node().input(0).node();
    EXPECT_EQ(gather.input(0).node().input(0), x);
    EXPECT_THAT(constant_ints(gather.input(1)), testing::Optional(testing::ElementsAre(0, 1)));
    EXPECT_THAT(constant_ints(made.node().input(1)), testing::Optional(testing::ElementsAre(4, 7)));
    EXPECT_TRUE(is_made_shape(made));
    EXPECT_TRUE(is_made_shape(make_shape(rewriter, {extent_element(y, 1)}, "one")));
    EXPECT_EQ(make_shape(rewriter, {}, "none").shape(), PartialShape{0}) << "of a scalar";
    EXPECT_FALSE(is_made_shape(b.make<ops::Convert>("", made, ElementType::i32)));
}

}  // namespace
}  // namespace rondo::passes::make_shape_test
