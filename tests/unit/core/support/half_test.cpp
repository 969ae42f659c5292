#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "rondo/element_type.hpp"

namespace rondo::half_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename Half>
float rounded(float value) {
    return static_cast<float>(Half(value));
}

template <typename Half>
float value_of(std::uint16_t bits) {
    Half half;
    half.bits = bits;
    return static_cast<float>(half);
}

// Every number that the type has comes back to the bit; a NaN stays one.
template <typename Half>
void expect_round_trip() {
    for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
        const float wide = value_of<Half>(static_cast<std::uint16_t>(bits));
        if (std::isnan(wide)) {
            ASSERT_TRUE(std::isnan(rounded<Half>(wide))) << bits;
        } else {
            ASSERT_EQ(Half(wide).bits, bits) << wide;
        }
    }
}

// The middle between neighbours goes to the even one, its own neighbours to the nearest.
template <typename Half>
void expect_nearest_even(std::uint16_t last_finite) {
    for (std::uint16_t bits = 0; bits < last_finite; ++bits) {
        const float low = value_of<Half>(bits);
        const float high = value_of<Half>(static_cast<std::uint16_t>(bits + 1));
        const auto middle =
            static_cast<float>((static_cast<double>(low) + static_cast<double>(high)) / 2);
        const auto even = static_cast<std::uint16_t>(bits + (bits & 1));
        ASSERT_EQ(Half(middle).bits, even) << bits;
        ASSERT_EQ(Half(-middle).bits, even | 0x8000) << bits;
        ASSERT_EQ(Half(std::nextafter(middle, -kInfinity)).bits, bits);
        ASSERT_EQ(Half(std::nextafter(middle, kInfinity)).bits, bits + 1);
    }
}

TEST(Half, GivesEveryF16Back) { expect_round_trip<float16>(); }
TEST(Half, GivesEveryBf16Back) { expect_round_trip<bfloat16>(); }
TEST(Half, RoundsF16ToNearestEven) { expect_nearest_even<float16>(0x7bff); }
TEST(Half, RoundsBf16ToNearestEven) { expect_nearest_even<bfloat16>(0x7f7f); }

TEST(Half, KnowsF16sValues) {
    EXPECT_EQ(value_of<float16>(0x3c00), 1.0f);
    EXPECT_EQ(value_of<float16>(0xc000), -2.0f);
    EXPECT_EQ(value_of<float16>(0x7bff), 65504.0f);
    EXPECT_EQ(value_of<float16>(0x0001), 0x1p-24f);
    EXPECT_EQ(value_of<float16>(0x0400), 0x1p-14f);
    EXPECT_EQ(value_of<float16>(0x7c00), kInfinity);
    EXPECT_TRUE(std::signbit(value_of<float16>(0x8000)));
}

TEST(Half, OverflowsF16ToInfinity) {
    EXPECT_EQ(rounded<float16>(65519.996f), 65504.0f);
    EXPECT_EQ(rounded<float16>(65520.0f), kInfinity);
    EXPECT_EQ(rounded<float16>(-1e30f), -kInfinity);
    EXPECT_EQ(rounded<float16>(0x1p-25f), 0.0f);
    EXPECT_EQ(rounded<float16>(std::nextafter(0x1p-25f, 1.0f)), 0x1p-24f);
    EXPECT_EQ(rounded<float16>(1e-40f), 0.0f);
}

TEST(Half, KnowsBf16sValues) {
    EXPECT_EQ(value_of<bfloat16>(0x3f80), 1.0f);
    EXPECT_EQ(rounded<bfloat16>(std::numeric_limits<float>::max()), kInfinity);
    EXPECT_EQ(rounded<bfloat16>(-kInfinity), -kInfinity);
    // A NaN whose payload lies in the bits that are cut off must not become an infinity.
    EXPECT_TRUE(std::isnan(rounded<bfloat16>(std::bit_cast<float>(0x7f800001u))));
    EXPECT_TRUE(std::isnan(rounded<float16>(std::bit_cast<float>(0xff800001u))));
}

}  // namespace
}  // namespace rondo::half_test
