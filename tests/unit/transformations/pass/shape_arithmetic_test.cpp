#include "transformations/pass/shape_elements.hpp"

#include <gtest/gtest.h>

#include "tests/support/graph_builder.hpp"

namespace rondo::passes::shape_arithmetic_test {
namespace {

using ops::BinaryFunction;
using ops::CompareFunction;

class ShapeArithmetic : public testing::Test {
protected:
    ShapeProduct extent(std::size_t axis) const { return {1, {{{}, x_, axis}}}; }
    static ShapeProduct number(std::int64_t value) { return {value, {}}; }

    test::GraphBuilder builder_;
    Output x_ = builder_.input("x", "[?,2..9]");
    const ShapeProduct n_ = extent(0), t_ = extent(1);
};

TEST_F(ShapeArithmetic, ComputesWithNumbers) {
    const auto of = [](BinaryFunction function, std::int64_t a, std::int64_t b) {
        const auto result = computed(function, number(a), number(b));
        return result && result->is_number() ? result->number : -999;
    };
    EXPECT_EQ(of(BinaryFunction::add, 2, -3), -1);
    EXPECT_EQ(of(BinaryFunction::subtract, 2, 3), -1);
    EXPECT_EQ(of(BinaryFunction::multiply, 2, -1), -2);
    EXPECT_EQ(of(BinaryFunction::divide, 7, 2), 3);
    EXPECT_EQ(of(BinaryFunction::maximum, 7, 2), 7);
    EXPECT_EQ(of(BinaryFunction::minimum, 7, 2), 2);
    EXPECT_EQ(of(BinaryFunction::divide, -7, 2), -999) << "rounds one way or the other";
    EXPECT_EQ(of(BinaryFunction::divide, 7, 0), -999);
    EXPECT_EQ(of(BinaryFunction::multiply, 1 << 20, 1 << 20), -999) << "i32 would wrap";
    EXPECT_EQ(of(BinaryFunction::power, 2, 2), -999);
}

TEST_F(ShapeArithmetic, KeepsAnExtentBesideNeutralNumbers) {
    EXPECT_EQ(computed(BinaryFunction::add, n_, number(0)), n_);
    EXPECT_EQ(computed(BinaryFunction::add, number(0), n_), n_);
    EXPECT_EQ(computed(BinaryFunction::subtract, n_, number(0)), n_);
    EXPECT_EQ(computed(BinaryFunction::multiply, number(1), n_), n_);
    EXPECT_EQ(computed(BinaryFunction::divide, n_, number(1)), n_);
    EXPECT_EQ(computed(BinaryFunction::multiply, n_, number(0)), number(0));
    EXPECT_FALSE(computed(BinaryFunction::add, n_, number(1)));
    EXPECT_FALSE(computed(BinaryFunction::subtract, number(0), n_));
}

TEST_F(ShapeArithmetic, MultipliesAndDividesExtents) {
    const auto both = computed(BinaryFunction::multiply, n_, t_);
    ASSERT_TRUE(both);
    EXPECT_EQ(both->extents.size(), 2u);
    const auto six = computed(BinaryFunction::multiply, number(6), *both);
    ASSERT_TRUE(six);
    EXPECT_EQ(computed(BinaryFunction::divide, *six, number(3))->number, 2);
    EXPECT_FALSE(computed(BinaryFunction::divide, *six, number(4)));
    EXPECT_FALSE(computed(BinaryFunction::divide, *six, n_)) << "which may be 0";
}

TEST_F(ShapeArithmetic, TakesTheGreaterOneWhereItIsCertain) {
    EXPECT_EQ(computed(BinaryFunction::maximum, n_, number(-1)), n_);
    EXPECT_EQ(computed(BinaryFunction::maximum, number(2), t_), t_);
    EXPECT_EQ(computed(BinaryFunction::minimum, t_, number(12)), t_);
    EXPECT_EQ(computed(BinaryFunction::minimum, t_, number(1)), number(1));
    EXPECT_FALSE(computed(BinaryFunction::maximum, n_, number(1)));
    EXPECT_FALSE(computed(BinaryFunction::maximum, n_, t_));
}

TEST_F(ShapeArithmetic, ComparesWhereAllExtentsAgree) {
    EXPECT_EQ(compared(CompareFunction::equal, n_, number(-1)), false);
    EXPECT_EQ(compared(CompareFunction::not_equal, n_, number(-1)), true);
    EXPECT_EQ(compared(CompareFunction::equal, n_, n_), true);
    EXPECT_EQ(compared(CompareFunction::equal, number(3), number(3)), true);
    EXPECT_EQ(compared(CompareFunction::greater, t_, number(1)), true);
    EXPECT_EQ(compared(CompareFunction::less, t_, number(2)), false);
    EXPECT_EQ(compared(CompareFunction::less_equal, t_, number(9)), true);
    EXPECT_EQ(compared(CompareFunction::greater_equal, n_, number(0)), true);
    EXPECT_FALSE(compared(CompareFunction::equal, n_, t_));
    EXPECT_FALSE(compared(CompareFunction::greater, n_, number(0)));
    EXPECT_FALSE(compared(CompareFunction::less, t_, number(9)));
}

}  // namespace
}  // namespace rondo::passes::shape_arithmetic_test
