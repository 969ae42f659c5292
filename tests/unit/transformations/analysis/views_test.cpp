#include "transformations/analysis/views.hpp"

#include <gmock/gmock.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::views_test {
namespace {

using test::GraphBuilder;
using testing::ElementsAre;
using testing::Optional;

PartialShape shape(const char* text) { return PartialShape::parse(text); }

TEST(Views, AreReshapeSqueezeAndUnsqueeze) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,2]");
    EXPECT_TRUE(b.reshape(x, {2}).node().traits().view);
    EXPECT_TRUE(b.squeeze(x, {0}).node().traits().view);
    EXPECT_TRUE(b.unsqueeze(x, {0}).node().traits().view);
    EXPECT_FALSE(b.transpose(x, {1, 0}).node().traits().view);
}

TEST(Views, AxesAreSortedAndCountedFromTheFront) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,2,1]");
    EXPECT_THAT(view_axes(b.squeeze(x, {-1, 0, 2}).node()), Optional(ElementsAre(0, 2)));
    EXPECT_THAT(view_axes(*b.make<ops::Squeeze>("", x)), Optional(ElementsAre(0, 2)));
    EXPECT_THAT(view_axes(b.unsqueeze(x, {-1, 1}).node()), Optional(ElementsAre(1, 4)));
    EXPECT_EQ(view_axes(b.reshape(x, {2}).node()), std::nullopt);
    EXPECT_EQ(view_axes(*b.make<ops::Squeeze>("", b.input("o", "[1,?]"))), std::nullopt);
    const Output axes = b.input("axes", "[1]", ElementType::i64);
    EXPECT_EQ(view_axes(*b.make<ops::Squeeze>("", x, axes)), std::nullopt);
}

TEST(Views, SomeMayFailAtRunTime) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,4,1]");
    const Output open = b.input("open", "[?,?]");
    EXPECT_TRUE(always_fits(b.squeeze(x, {2}).node()));
    EXPECT_FALSE(always_fits(b.squeeze(x, {0}).node()));
    EXPECT_TRUE(always_fits(b.unsqueeze(open, {0}).node()));
    EXPECT_TRUE(always_fits(b.reshape(x, {-1, 2, 2}).node()));
    EXPECT_TRUE(always_fits(b.reshape(x, {0, -1}).node()));
    EXPECT_TRUE(always_fits(b.reshape(x, {0, 2, 2}).node()));
    EXPECT_FALSE(always_fits(b.reshape(x, {-1, 8}).node()));
    EXPECT_FALSE(always_fits(b.reshape(x, {3, 4}).node()));
    EXPECT_FALSE(always_fits(b.reshape(open, {0, 5}).node()));
    EXPECT_TRUE(always_fits(b.reshape(open, {-1}).node()));
    EXPECT_TRUE(always_fits(b.reshape(b.input("known", "[6]"), {2, 3}).node()));
}

TEST(Views, PatternsHoldOneOpenExtent) {
    EXPECT_THAT(pattern_for(shape("[2,?,3]")), Optional(ElementsAre(2, -1, 3)));
    EXPECT_THAT(pattern_for(shape("[0,3]")), Optional(ElementsAre(0, 3)));
    EXPECT_EQ(pattern_for(shape("[?,?]")), std::nullopt);
    EXPECT_EQ(pattern_for(shape("[?,0]")), std::nullopt);
    EXPECT_EQ(pattern_for(shape("...")), std::nullopt);
}

TEST(Views, ExtentsAreTheSameWhereOneAtMostIsOpen) {
    EXPECT_TRUE(same_extents(shape("[2,?]"), shape("[2,1..5]")));
    EXPECT_FALSE(same_extents(shape("[2,?]"), shape("[?,2]")));
    EXPECT_FALSE(same_extents(shape("[?,?]"), shape("[?,?]")));
}

}  // namespace
}  // namespace rondo::passes::views_test
