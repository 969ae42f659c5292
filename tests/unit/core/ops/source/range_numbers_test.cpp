#include "core/ops/source/range_numbers.hpp"

#include <gtest/gtest.h>

namespace rondo::ops::range_numbers_test {
namespace {

template <typename T>
std::int64_t length_of(T start, T stop, T step) {
    const auto read = [](T value) { return range_number(element_type_of<T>(), &value); };
    return range_length({read(start), read(stop), read(step)}).length;
}

TEST(RangeNumbers, RoundsThePartOfAStepUp) {
    EXPECT_EQ(length_of<std::int32_t>(0, 7, 3), 3);
    EXPECT_EQ(length_of<double>(0, 1, 0.3), 4);
    EXPECT_EQ(length_of<double>(1, 0, -0.25), 4);
    EXPECT_EQ(length_of<double>(1, 0, 0.25), 0);
}

// 0.3f is a little more than three times 0.1f, which a quotient of floats doesn't show.
TEST(RangeNumbers, DividesInDouble) {
    EXPECT_EQ(length_of(0.0F, 0.3F, 0.1F), 4);
    EXPECT_EQ(length_of(-1e-9F, 1.0F, 0.5F), 3);
}

TEST(RangeNumbers, KeepsLargeIntegersExact) {
    constexpr std::int64_t kBig = (std::int64_t{1} << 60) + 1;
    EXPECT_EQ(length_of<std::int64_t>(kBig, kBig + 3, 1), 3);
    EXPECT_EQ(range_number(ElementType::i64, &kBig).whole, kBig);
}

}  // namespace
}  // namespace rondo::ops::range_numbers_test
