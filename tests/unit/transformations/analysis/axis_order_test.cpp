// Tests a part of transformations/analysis/views.hpp.
#include "transformations/analysis/views.hpp"

#include <gmock/gmock.h>

#include "tests/support/graph_builder.hpp"

namespace rondo::passes::axis_order_test {
namespace {

using test::GraphBuilder;
using testing::ElementsAre;
using testing::Optional;

std::optional<AxisOrder> order_of_node(const Output& transpose) {
    return order_of(*as<ops::Transpose>(transpose));
}

TEST(AxisOrder, ReadsConstantOrders) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?,4]");
    EXPECT_THAT(order_of_node(b.transpose(x, {1, 0, -1})), Optional(ElementsAre(1, 0, 2)));
    EXPECT_THAT(order_of_node(b.transpose(x, {})), Optional(ElementsAre(2, 1, 0)));
}

TEST(AxisOrder, IsUnknownWithoutRankOrConstant) {
    GraphBuilder b;
    EXPECT_EQ(order_of_node(b.transpose(b.input("x", "..."), {})), std::nullopt);
    const Output order = b.input("order", "[2]", ElementType::i64);
    EXPECT_EQ(order_of_node(b.make<ops::Transpose>("", b.input("y", "[2,3]"), order)),
              std::nullopt);
}

TEST(AxisOrder, CombinesAndInverts) {
    // [a,b,c] -> by (2,0,1) [c,a,b] -> by (1,0,2) [a,c,b]
    EXPECT_THAT(combine({2, 0, 1}, {1, 0, 2}), ElementsAre(0, 2, 1));
    EXPECT_TRUE(is_identity(combine({2, 0, 1}, inverse({2, 0, 1}))));
    EXPECT_FALSE(is_identity({0, 2, 1}));
    EXPECT_TRUE(is_identity({}));
    EXPECT_THAT(to_ints({2, 0}), ElementsAre(2, 0));
}

TEST(AxisOrder, UnitAxesMoveNothing) {
    const auto shape = [](const char* text) { return PartialShape::parse(text); };
    EXPECT_TRUE(moves_only_unit_axes({1, 0, 2}, shape("[1,?,3]")));
    EXPECT_TRUE(moves_only_unit_axes({0, 2, 1, 3}, shape("[?,1,?,3]")));
    EXPECT_FALSE(moves_only_unit_axes({1, 0, 2}, shape("[2,?,3]")));
    EXPECT_FALSE(moves_only_unit_axes({2, 1, 0}, shape("[2,1,3]")));
}

}  // namespace
}  // namespace rondo::passes::axis_order_test
