#include "rondo/shape.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::shape_test {
namespace {

using test::expect_error;

TEST(Shape, CountsElements) {
    EXPECT_EQ(element_count({}), 1u);
    EXPECT_EQ(element_count({2, 3, 4}), 24u);
    EXPECT_EQ(element_count({2, 0, 4}), 0u);
    EXPECT_EQ(element_count({std::size_t{1} << 47, 0}), 0u);
    EXPECT_EQ(element_count({std::size_t{1} << 47}), std::size_t{1} << 47);
    expect_error<ModelError>(
        [] {
            element_count({std::size_t{1} << 40, 256});
        },
        "a tensor of shape [1099511627776,256] has too many elements");
    expect_error<ModelError>(
        [] {
            element_count({std::size_t(-1), std::size_t(-1)});
        },
        "has too many elements");
}

TEST(Shape, HasAText) {
    EXPECT_EQ(to_string(Shape{}), "[]");
    EXPECT_EQ(to_string(Shape{1, 2}), "[1,2]");
}

TEST(Dimension, HoldsAnInterval) {
    EXPECT_EQ(Dimension(-1), Dimension());
    EXPECT_TRUE(Dimension(5).is_static());
    EXPECT_EQ(Dimension(5).length(), 5);
    EXPECT_TRUE(Dimension(2, 4).contains(4));
    EXPECT_FALSE(Dimension(2, 4).contains(5));
    EXPECT_NE(Dimension(2, 4), Dimension(2, 5));
    EXPECT_EQ(Dimension(2, 4).intersect({4, 9}), Dimension(4));
    EXPECT_EQ(Dimension(2, 4).intersect(5), std::nullopt);
}

TEST(Dimension, RefusesWhatIsNone) {
    expect_error<ModelError>([] { Dimension(-2); }, "an extent can't be -2; -1 means any");
    expect_error<ModelError>([] { Dimension(3, 2); }, "an extent can't lie between 3 and 2");
    expect_error<ModelError>([] { Dimension(-1, 2); }, "an extent can't lie between -1 and 2");
    expect_error<ModelError>([] { (void)Dimension(2, 4).length(); },
                             "the extent 2..4 is not known");
}

TEST(Dimension, HasTheIrsText) {
    for (const char* text : {"5", "?", "2..", "..10", "2..10", "0"}) {
        EXPECT_EQ(to_string(PartialShape::parse(text)[0]), text);
    }
    EXPECT_EQ(to_string(PartialShape::parse("0..")[0]), "?");
    EXPECT_EQ(to_string(PartialShape::parse("3..3")[0]), "3");
}

TEST(PartialShape, ReadsText) {
    EXPECT_EQ(PartialShape::parse("1,?,3"), (PartialShape{1, Dimension(), 3}));
    EXPECT_EQ(PartialShape::parse(" [ 2..10 , -1 ] "), (PartialShape{{2, 10}, Dimension()}));
    EXPECT_EQ(PartialShape::parse(""), PartialShape(Shape{}));
    EXPECT_EQ(PartialShape::parse("[]"), PartialShape(Shape{}));
    EXPECT_FALSE(PartialShape::parse("...").has_rank());
    EXPECT_FALSE(PartialShape::parse("[...]").has_rank());
    for (const char* text : {"1,?,3..", "...", ""}) {
        EXPECT_EQ(PartialShape::parse(to_string(PartialShape::parse(text))),
                  PartialShape::parse(text));
    }
}

TEST(PartialShape, RefusesExtentsThatCannotBe) {
    constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
    expect_error<ModelError>(
        [] {
            (void)PartialShape(Shape{0, kHuge});
        },
        "an extent can't be 18446744073709551615");
}

TEST(PartialShape, RefusesTextThatIsNone) {
    for (const char* text : {"x", "1,,2", "-2", "..", "1.5", "2..-3", "9223372036854775808"}) {
        expect_error<ModelError>([&] { PartialShape::parse(text); }, "as an extent; expected 5");
    }
    expect_error<ModelError>([] { PartialShape::parse("5..2"); }, "can't lie between 5 and 2");
}

TEST(PartialShape, KnowsWhatIsKnown) {
    EXPECT_TRUE(PartialShape({1, 2}).is_static());
    EXPECT_FALSE(PartialShape({1, Dimension()}).is_static());
    EXPECT_FALSE(PartialShape().is_static());
    EXPECT_EQ(PartialShape({1, 2}).to_shape(), (Shape{1, 2}));
    EXPECT_EQ(PartialShape::of_rank(2), (PartialShape{Dimension(), Dimension()}));
    expect_error<ModelError>([] { (void)PartialShape().rank(); },
                             "the rank of the shape is not known");
    expect_error<ModelError>(
        [] {
            (void)PartialShape({1, Dimension()}).to_shape();
        },
        "the shape [1,?] is not fully known");
}

TEST(PartialShape, RefusesAxesThatItHasNot) {
    PartialShape shape{2, Dimension()};
    shape[1] = 3;
    EXPECT_EQ(shape, PartialShape({2, 3}));
    expect_error<ModelError>([&] { shape[2] = 3; }, "the shape [2,3] has no axis 2");
    expect_error<ModelError>([] { return PartialShape()[0]; }, "the shape [...] has no axis");
    expect_error<ModelError>([] { return PartialShape(Shape{})[0]; }, "has no axis 0");
}

TEST(PartialShape, ContainsTensorsShapes) {
    const auto shape = PartialShape::parse("2..3,?");
    EXPECT_TRUE(shape.contains({3, 9}));
    EXPECT_FALSE(shape.contains({4, 9}));
    EXPECT_FALSE(shape.contains({3}));
    EXPECT_TRUE(PartialShape().contains({3}));
}

TEST(PartialShape, Intersects) {
    const auto a = PartialShape::parse("2..5,?");
    EXPECT_EQ(a.intersect(PartialShape::parse("4..9,7")), PartialShape::parse("4..5,7"));
    EXPECT_EQ(a.intersect(PartialShape()), a);
    EXPECT_EQ(PartialShape().intersect(a), a);
    EXPECT_EQ(a.intersect(PartialShape::parse("6,7")), std::nullopt);
    EXPECT_EQ(a.intersect(PartialShape::parse("2")), std::nullopt);
}

}  // namespace
}  // namespace rondo::shape_test
