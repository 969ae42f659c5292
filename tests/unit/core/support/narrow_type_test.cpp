#include "core/support/narrow_type.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/rng.hpp"

namespace rondo::narrow_type_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr ElementType kFloats[] = {ElementType::f8e4m3, ElementType::f8e5m2,
                                   ElementType::f8e4m3fnuz, ElementType::f8e5m2fnuz,
                                   ElementType::f4e2m1};
constexpr ElementType kIntegers[] = {ElementType::i4, ElementType::u4, ElementType::i2,
                                     ElementType::u2};

double number(ElementType type, std::size_t code) {
    return static_cast<double>(narrow_numbers(type)[code]);
}

std::size_t codes_of(ElementType type) { return std::size_t{1} << narrow_bits(type); }

// From the tables of the formats: OCP's 8-bit and MX floats, and the FNUZ types of their paper.
TEST(NarrowType, LargestAndSmallestNumbersAreThoseOfTheFormats) {
    EXPECT_EQ(number(ElementType::f8e4m3, 0x7e), 448);
    EXPECT_EQ(number(ElementType::f8e4m3, 1), std::ldexp(1, -9));
    EXPECT_EQ(number(ElementType::f8e5m2, 0x7b), 57344);
    EXPECT_EQ(number(ElementType::f8e5m2, 1), std::ldexp(1, -16));
    EXPECT_EQ(number(ElementType::f8e5m2, 0xfc), -kInfinity);
    EXPECT_EQ(number(ElementType::f8e4m3fnuz, 0x7f), 240);
    EXPECT_EQ(number(ElementType::f8e4m3fnuz, 1), std::ldexp(1, -10));
    EXPECT_EQ(number(ElementType::f8e5m2fnuz, 0x7f), 57344);
    EXPECT_EQ(number(ElementType::f8e5m2fnuz, 1), std::ldexp(1, -17));
    EXPECT_EQ(number(ElementType::f8e8m0, 254), std::ldexp(1, 127));
    EXPECT_EQ(number(ElementType::f8e8m0, 0), std::ldexp(1, -127));
    EXPECT_EQ(number(ElementType::f4e2m1, 7), 6);
    EXPECT_EQ(number(ElementType::f4e2m1, 9), -0.5);
    EXPECT_EQ(number(ElementType::i4, 8), -8);
    EXPECT_EQ(number(ElementType::u4, 15), 15);
    EXPECT_EQ(number(ElementType::i2, 3), -1);
    for (const auto& [type, code] : {std::pair{ElementType::f8e4m3, 0xff},
                                     {ElementType::f8e5m2, 0x7d},
                                     {ElementType::f8e4m3fnuz, 0x80},
                                     {ElementType::f8e5m2fnuz, 0x80},
                                     {ElementType::f8e8m0, 0xff}}) {
        EXPECT_TRUE(std::isnan(number(type, static_cast<std::size_t>(code)))) << to_string(type);
    }
}

TEST(NarrowType, EveryNumberHasItsOwnCode) {
    for (int i = static_cast<int>(ElementType::f8e4m3); i <= static_cast<int>(ElementType::u2);
         ++i) {
        const auto type = static_cast<ElementType>(i);
        for (std::size_t code = 0; code < codes_of(type); ++code) {
            const double value = number(type, code);
            if (std::isnan(value)) {
                EXPECT_TRUE(std::isnan(number(type, narrow_code(type, value))));
            } else {
                const NarrowRounding rounding{.saturates = std::isfinite(value)};
                EXPECT_EQ(narrow_code(type, value, rounding), code) << to_string(type);
            }
        }
    }
}

// Against a search of all codes.
TEST(NarrowType, FloatsAreTheNearestOnesAndTiesAreEven) {
    test::Rng rng = test::test_rng();
    for (const ElementType type : kFloats) {
        for (int k = 0; k < 20'000; ++k) {
            const double exact = std::ldexp(test::uniform(rng, -2, 2), -18 + k % 40);
            const double value =
                k % 3 == 0 ? static_cast<double>(static_cast<float>(exact)) : exact;
            const double got = number(type, narrow_code(type, value));
            double nearest = kInfinity;
            for (std::size_t code = 0; code < codes_of(type); ++code) {
                const double other = number(type, code);
                if (std::isfinite(other)) nearest = std::min(nearest, std::abs(other - value));
            }
            ASSERT_EQ(std::abs(got - value), nearest) << to_string(type) << ' ' << value;
        }
        for (std::size_t code = 0; code + 2 < codes_of(type) / 2; ++code) {
            const double tie = (number(type, code) + number(type, code + 1)) / 2;
            if (!std::isfinite(tie)) continue;
            EXPECT_EQ(narrow_code(type, tie) % 2, 0) << to_string(type);
        }
    }
}

// ONNX's tables for Cast.
TEST(NarrowType, WhatIsTooLargeSaturatesOrNot) {
    for (const double sign : {1.0, -1.0}) {
        for (const double value : {sign * kInfinity, sign * 1e6}) {
            EXPECT_EQ(number(ElementType::f8e4m3, narrow_code(ElementType::f8e4m3, value)),
                      sign * 448);
            EXPECT_EQ(number(ElementType::f4e2m1, narrow_code(ElementType::f4e2m1, value)),
                      sign * 6);
            const NarrowRounding open{.saturates = false};
            const auto code = [&](ElementType type) { return narrow_code(type, value, open); };
            EXPECT_EQ(number(ElementType::f8e5m2, code(ElementType::f8e5m2)), sign * kInfinity);
            for (const auto type :
                 {ElementType::f8e4m3, ElementType::f8e4m3fnuz, ElementType::f8e5m2fnuz}) {
                EXPECT_TRUE(std::isnan(number(type, code(type)))) << to_string(type);
            }
        }
    }
    EXPECT_EQ(narrow_code(ElementType::f8e4m3, -0.0), 0x80);
    EXPECT_EQ(narrow_code(ElementType::f8e4m3fnuz, -0.0), 0);
    EXPECT_EQ(narrow_code(ElementType::f8e4m3fnuz, -1e-9), 0);
}

TEST(NarrowType, ScalesRoundInThreeWays) {
    using Scale = NarrowRounding::Scale;
    const auto scale = [](double value, Scale way, bool saturates = true) {
        return number(ElementType::f8e8m0,
                      narrow_code(ElementType::f8e8m0, value, {saturates, way}));
    };
    EXPECT_EQ(scale(2.1, Scale::up), 4);
    EXPECT_EQ(scale(2.0, Scale::up), 2);
    EXPECT_EQ(scale(3.9, Scale::down), 2);
    EXPECT_EQ(scale(2.9, Scale::nearest), 2);
    EXPECT_EQ(scale(3.0, Scale::nearest), 4);
    EXPECT_EQ(scale(0, Scale::up), std::ldexp(1, -127));
    EXPECT_EQ(scale(kInfinity, Scale::up), std::ldexp(1, 127));
    EXPECT_EQ(scale(std::ldexp(1.5, 127), Scale::up), std::ldexp(1, 127));
    EXPECT_TRUE(std::isnan(scale(0, Scale::nearest, false)));
    EXPECT_TRUE(std::isnan(scale(kInfinity, Scale::nearest, false)));
    EXPECT_TRUE(std::isnan(scale(kNan, Scale::up)));
}

TEST(NarrowType, IntegersAreCutAndKeepTheirLowestBits) {
    for (const ElementType type : kIntegers) {
        const auto codes = static_cast<int>(codes_of(type));
        for (int value = -40; value <= 40; ++value) {
            EXPECT_EQ(narrow_code(type, value), ((value % codes) + codes) % codes);
        }
        EXPECT_EQ(narrow_code(type, -1.9), narrow_code(type, -1));
        EXPECT_EQ(narrow_code(type, kNan), 0);
        EXPECT_EQ(narrow_code(type, 1e30), 0);
    }
}

// Double would lose the lowest bits of a large integer.
TEST(NarrowType, IntegersKeepTheBitsOfLargerOnes) {
    const std::uint64_t large = (std::uint64_t{1} << 62) + 5;
    EXPECT_EQ(narrow_code(ElementType::i4, large, true, {}), 5);
    EXPECT_EQ(narrow_code(ElementType::u4, ~std::uint64_t{0}, false, {}), 15);
    EXPECT_EQ(narrow_code(ElementType::i2, ~std::uint64_t{0}, true, {}), 3);
    EXPECT_EQ(narrow_code(ElementType::f8e4m3, ~std::uint64_t{0}, true, {}),
              narrow_code(ElementType::f8e4m3, -1));
    EXPECT_EQ(narrow_code(ElementType::f8e4m3, ~std::uint64_t{0}, false, {}),
              narrow_code(ElementType::f8e4m3, 1e19));
}

TEST(NarrowType, ElementsArePackedFromTheLowestBits) {
    const std::vector<std::uint8_t> elements = {1, 2, 3, 0, 2};
    std::uint8_t bytes[5] = {0xff, 0xff, 0xff, 0xff, 0xff};
    ASSERT_EQ(packed_bytes(ElementType::i4, 5), 3u);
    pack(ElementType::i4, elements, bytes);
    EXPECT_EQ(bytes[0], 0x21);
    EXPECT_EQ(bytes[1], 0x03);
    EXPECT_EQ(bytes[2], 0x02);
    EXPECT_EQ(bytes[3], 0xff);
    for (const ElementType type : {ElementType::i4, ElementType::u2, ElementType::f8e5m2}) {
        pack(type, elements, bytes);
        std::vector<std::uint8_t> back(elements.size());
        unpack(type, bytes, back);
        EXPECT_EQ(back, elements) << to_string(type);
    }
    EXPECT_EQ(packed_bytes(ElementType::u2, 0), 0u);
    EXPECT_EQ(packed_bytes(ElementType::u2, 5), 2u);
    EXPECT_EQ(packed_bytes(ElementType::f8e8m0, 5), 5u);
}

}  // namespace
}  // namespace rondo::narrow_type_test
