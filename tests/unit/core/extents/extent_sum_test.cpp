#include "core/extents/extent_sum.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/graph_builder.hpp"

namespace rondo::extent_sum_test {
namespace {

using ops::CompareFunction;

class ExtentSums : public testing::Test {
protected:
    test::GraphBuilder builder_;
    Output x_ = builder_.input("x", "[?,2..9,3]");
    const ExtentSum n_ = ExtentSum::of(x_, 0), t_ = ExtentSum::of(x_, 1);
};

TEST_F(ExtentSums, AreNumbersOrSymbols) {
    EXPECT_EQ(ExtentSum().number(), 0);
    EXPECT_EQ(ExtentSum(-3).number(), -3);
    EXPECT_EQ(ExtentSum::of(x_, 2).number(), 3);
    EXPECT_FALSE(n_.number());
    EXPECT_EQ(n_.symbol(), (Symbol{x_, 0}));
    EXPECT_FALSE(ExtentSum(3).symbol());
    EXPECT_FALSE(n_.times(2)->symbol());
    EXPECT_FALSE(n_.plus(2)->symbol());
    EXPECT_NE(n_, t_);
}

TEST_F(ExtentSums, AreAddedAndMultiplied) {
    EXPECT_EQ(ExtentSum(2).plus(-3), ExtentSum(-1));
    EXPECT_EQ(ExtentSum(2).times(-3), ExtentSum(-6));
    EXPECT_EQ(n_.plus(0), n_);
    EXPECT_EQ(n_.plus(n_), n_.times(2));
    EXPECT_EQ(n_.plus(t_)->plus(n_, -1), t_);
    EXPECT_EQ(n_.plus(n_, -1), ExtentSum());
    EXPECT_EQ(n_.times(0), ExtentSum(0));
    EXPECT_EQ(n_.times(t_), t_.times(n_));
    EXPECT_EQ(n_.plus(1)->times(*n_.plus(-1)), n_.times(n_)->plus(-1));
}

TEST_F(ExtentSums, AreDividedWithoutRemainder) {
    const auto six = ExtentSum(6).times(*n_.times(t_));
    EXPECT_EQ(six->divided_by(3), ExtentSum(2).times(*n_.times(t_)));
    EXPECT_EQ(six->divided_by(-1), six->times(-1));
    EXPECT_EQ(six->divided_by(*n_.times(2)), t_.times(3));
    EXPECT_EQ(n_.times(4)->plus(2)->divided_by(2), n_.times(2)->plus(1));
    EXPECT_FALSE(six->divided_by(4));
    EXPECT_FALSE(six->divided_by(0));
    EXPECT_FALSE(n_.divided_by(t_));
    EXPECT_FALSE(n_.plus(1)->divided_by(n_));
    EXPECT_FALSE(ExtentSum(7).divided_by(2));
}

TEST_F(ExtentSums, AreNothingWhereNumbersDontFit) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    EXPECT_FALSE(ExtentSum(kMost).plus(1));
    EXPECT_FALSE(ExtentSum(kMost).times(2));
    EXPECT_FALSE(ExtentSum(std::numeric_limits<std::int64_t>::min()).divided_by(-1));
    EXPECT_TRUE(n_.plus(kMost)) << "they aren't added up";
    std::optional<ExtentSum> power = *n_.plus(1);
    for (int i = 0; i < 8 && power; ++i) power = power->times(*n_.plus(1));
    EXPECT_FALSE(power) << "too many terms";
}

TEST_F(ExtentSums, HaveVariables) {
    const ExtentSum streams = ExtentSum::variable(0);
    EXPECT_TRUE(streams.has_variables());
    EXPECT_FALSE(n_.has_variables());
    const auto rows = streams.times(n_);
    EXPECT_TRUE(rows->has_variables());
    EXPECT_EQ(rows->without_variables(), n_);
    EXPECT_EQ(rows->plus(streams)->without_variables(), n_.plus(1));
    EXPECT_NE(streams, ExtentSum::variable(1));
}

TEST_F(ExtentSums, HaveRanges) {
    const auto expect = [](const ExtentSum& sum, std::int64_t least, std::int64_t most) {
        EXPECT_EQ(sum.range().least, least);
        EXPECT_EQ(sum.range().most, most);
    };
    constexpr std::int64_t kInfinity = Dimension::kInfinity;
    expect(t_, 2, 9);
    expect(*t_.times(-2)->plus(1), -17, -3);
    expect(n_, 0, kInfinity);
    expect(*t_.plus(n_, -1), -kInfinity, 9);
    expect(*t_.times(t_), 4, 81);
}

TEST_F(ExtentSums, TheGreaterOneIsTakenWhereItIsCertain) {
    EXPECT_EQ(greater_one(7, 2), ExtentSum(7));
    EXPECT_EQ(smaller_one(7, 2), ExtentSum(2));
    EXPECT_EQ(greater_one(n_, -1), n_);
    EXPECT_EQ(greater_one(2, t_), t_);
    EXPECT_EQ(smaller_one(t_, 12), t_);
    EXPECT_EQ(smaller_one(t_, 1), ExtentSum(1));
    EXPECT_EQ(greater_one(*n_.plus(1), n_), n_.plus(1));
    EXPECT_FALSE(greater_one(n_, 1));
    EXPECT_FALSE(greater_one(n_, t_));
}

TEST_F(ExtentSums, AreComparedWhereAllExtentsAgree) {
    EXPECT_EQ(compared(CompareFunction::equal, n_, -1), false);
    EXPECT_EQ(compared(CompareFunction::not_equal, n_, -1), true);
    EXPECT_EQ(compared(CompareFunction::equal, n_, n_), true);
    EXPECT_EQ(compared(CompareFunction::equal, 3, 3), true);
    EXPECT_EQ(compared(CompareFunction::equal, *n_.plus(1), n_), false);
    EXPECT_EQ(compared(CompareFunction::greater, t_, 1), true);
    EXPECT_EQ(compared(CompareFunction::less, t_, 2), false);
    EXPECT_EQ(compared(CompareFunction::less_equal, t_, 9), true);
    EXPECT_EQ(compared(CompareFunction::greater_equal, n_, 0), true);
    EXPECT_FALSE(compared(CompareFunction::equal, n_, t_));
    EXPECT_FALSE(compared(CompareFunction::greater, n_, 0));
    EXPECT_FALSE(compared(CompareFunction::less, t_, 9));
}

}  // namespace
}  // namespace rondo::extent_sum_test
