#include "core/support/wrapping.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rondo::wrapping_test {
namespace {

template <typename T>
class WrappingTest : public ::testing::Test {
protected:
    static constexpr T kLeast = std::numeric_limits<T>::min();
    static constexpr T kGreatest = std::numeric_limits<T>::max();
};

using Integers = ::testing::Types<std::int64_t, std::int32_t, std::int16_t, std::int8_t,
                                  std::uint64_t, std::uint32_t, std::uint16_t, std::uint8_t>;
TYPED_TEST_SUITE(WrappingTest, Integers);

TYPED_TEST(WrappingTest, SumsDifferencesAndProductsWrap) {
    using T = TypeParam;
    EXPECT_EQ(sum_of<T>(this->kGreatest, 1), this->kLeast);
    EXPECT_EQ(difference_of<T>(this->kLeast, 1), this->kGreatest);
    EXPECT_EQ(product_of<T>(this->kGreatest, 2), static_cast<T>(-2));
    EXPECT_EQ(square_of<T>(static_cast<T>(T{1} << (4 * sizeof(T)))), 0);
}

TYPED_TEST(WrappingTest, TheLeastIntegerHasNoNegative) {
    using T = TypeParam;
    const auto minus_one = static_cast<T>(-1);
    bool has_value = true;
    if (std::is_signed_v<T>) {
        EXPECT_EQ(magnitude_of<T>(this->kLeast), this->kLeast);
        EXPECT_EQ(quotient_of<Division::down>(this->kLeast, minus_one, has_value), this->kLeast);
        EXPECT_EQ(remainder_of<Division::down>(this->kLeast, minus_one, has_value), 0);
    } else {
        EXPECT_EQ(magnitude_of<T>(this->kGreatest), this->kGreatest);
        EXPECT_EQ(quotient_of<Division::down>(this->kGreatest, minus_one, has_value), 1);
    }
    EXPECT_TRUE(has_value);
}

TYPED_TEST(WrappingTest, ShiftsByTheWidthMoveAllBitsOut) {
    using T = TypeParam;
    const auto width = static_cast<T>(8 * sizeof(T));
    EXPECT_EQ(left_shift_of<T>(5, 1), T{10});
    EXPECT_EQ(left_shift_of<T>(3, static_cast<T>(width - 1)),
              static_cast<T>(std::uint64_t{1} << (8 * sizeof(T) - 1)));
    EXPECT_EQ(left_shift_of<T>(1, width), T{0});
    EXPECT_EQ(right_shift_of<T>(5, 1), T{2});
    EXPECT_EQ(right_shift_of<T>(this->kGreatest, width), T{0});
    if (!std::is_signed_v<T>) return;
    const auto minus_one = static_cast<T>(-1);
    EXPECT_EQ(right_shift_of<T>(static_cast<T>(-3), 1), static_cast<T>(-2));
    EXPECT_EQ(right_shift_of<T>(this->kLeast, width), minus_one);
    EXPECT_EQ(left_shift_of<T>(1, minus_one), T{0});
    EXPECT_EQ(right_shift_of<T>(1, minus_one), T{0});
}

TYPED_TEST(WrappingTest, QuotientAndRemainderBelongTogether) {
    using T = TypeParam;
    bool has_value = true;
    for (int x = -9; x <= 9; ++x) {
        for (int y = -4; y <= 4; ++y) {
            if (y == 0 || (!std::is_signed_v<T> && (x < 0 || y < 0))) continue;
            const auto a = static_cast<T>(x), b = static_cast<T>(y);
            EXPECT_EQ(quotient_of<Division::towards_zero>(a, b, has_value), static_cast<T>(x / y));
            EXPECT_EQ(remainder_of<Division::towards_zero>(a, b, has_value), static_cast<T>(x % y));
            const int floor = static_cast<int>(std::floor(static_cast<double>(x) / y));
            EXPECT_EQ(quotient_of<Division::down>(a, b, has_value), static_cast<T>(floor));
            EXPECT_EQ(remainder_of<Division::down>(a, b, has_value), static_cast<T>(x - floor * y));
        }
    }
    EXPECT_TRUE(has_value);
}

TYPED_TEST(WrappingTest, NothingIsDividedByZero) {
    using T = TypeParam;
    bool divides = true, leaves = true;
    quotient_of<Division::towards_zero>(T{7}, T{0}, divides);
    remainder_of<Division::down>(T{7}, T{0}, leaves);
    EXPECT_FALSE(divides);
    EXPECT_FALSE(leaves);
}

TYPED_TEST(WrappingTest, PowersWrapAndNegativeOnesGoTowardsZero) {
    using T = TypeParam;
    bool has_value = true;
    EXPECT_EQ(power_of<T>(3, 4, has_value), 81);
    EXPECT_EQ(power_of<T>(0, 0, has_value), 1);
    EXPECT_EQ(power_of<T>(2, static_cast<T>(8 * sizeof(T)), has_value), 0);
    if (std::is_signed_v<T>) {
        const auto minus = [](int x) { return static_cast<T>(-x); };
        EXPECT_EQ(power_of<T>(5, minus(2), has_value), 0);
        EXPECT_EQ(power_of<T>(minus(1), minus(3), has_value), minus(1));
        EXPECT_EQ(power_of<T>(minus(1), minus(4), has_value), 1);
        EXPECT_TRUE(has_value);
        power_of<T>(0, minus(1), has_value);
        EXPECT_FALSE(has_value);
    }
}

TEST(Wrapping, RootsOfWordsAreExact) {
    for (const std::uint64_t root : {0ull, 1ull, 3ull, 94906266ull, 4294967295ull}) {
        EXPECT_EQ(root_of(root * root), root);
        EXPECT_EQ(root_of(root * root + root), root);
    }
    EXPECT_EQ(root_of(std::uint64_t{94906266} * 94906266 - 1), 94906265ull);
    EXPECT_EQ(root_of(~std::uint64_t{0}), 4294967295u);
}

}  // namespace
}  // namespace rondo::wrapping_test
