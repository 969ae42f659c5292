// Tests a part of core/support/rounding.hpp.
#include "core/support/rounding.hpp"

#include <gtest/gtest.h>

#include "rondo/element_type.hpp"

namespace rondo::test::sticky_float_test {
namespace {

TEST(StickyFloat, KeepsWhatIsExact) {
    EXPECT_EQ(sticky_float(0.5), 0.5F);
    EXPECT_EQ(sticky_float(-0x1p-149), -0x1p-149F);
    EXPECT_EQ(sticky_double(std::int64_t{1} << 53), 0x1p53);
    EXPECT_EQ(sticky_double(std::numeric_limits<std::int64_t>::min()), -0x1p63);
    EXPECT_EQ(sticky_double(std::uint64_t{1} << 63), 0x1p63);
}

// The last bit is 1 where something was lost, on both sides of zero.
TEST(StickyFloat, IsOddWhereItIsNot) {
    EXPECT_EQ(sticky_float(1 + 0x1p-40), 1 + 0x1p-23F);
    EXPECT_EQ(sticky_float(-1 - 0x1p-40), -1 - 0x1p-23F);
    EXPECT_EQ(sticky_double((std::int64_t{1} << 62) + 1), 0x1p62 + 0x1p11);
    EXPECT_EQ(sticky_double(-(std::int64_t{1} << 62) - 1), -0x1p62 - 0x1p11);
    EXPECT_EQ(static_cast<float>(bfloat16(sticky_float(1 + 0x1p-8 + 0x1p-40))), 1 + 0x1p-7F);
}

}  // namespace
}  // namespace rondo::test::sticky_float_test
