#include "core/ops/movement/pad_range.hpp"

#include <gtest/gtest.h>

#include <string>

namespace rondo::ops::pad_range_test {
namespace {

// The axis "abcd...", padded; '.' is the constant.
std::string padded(PadMode mode, std::int64_t extent, std::int64_t begin, std::int64_t end) {
    const PadRange range(mode, extent, begin, end);
    std::string text;
    for (std::int64_t place = 0; place < range.length; ++place) {
        const std::int64_t element = padded_source(mode, range, place);
        EXPECT_LT(element, extent);
        text += element < 0 ? '.' : static_cast<char>('a' + element);
    }
    return text;
}

TEST(PadRange, SaysWhichElementStandsWhere) {
    EXPECT_EQ(padded(PadMode::constant, 4, 2, 1), "..abcd.");
    EXPECT_EQ(padded(PadMode::edge, 4, 2, 3), "aaabcdddd");
    EXPECT_EQ(padded(PadMode::reflect, 4, 2, 2), "cbabcdcb");
    EXPECT_EQ(padded(PadMode::symmetric, 4, 2, 2), "baabcddc");
    EXPECT_EQ(padded(PadMode::wrap, 4, 2, 2), "cdabcdab");
    EXPECT_EQ(padded(PadMode::edge, 3, 0, 0), "abc");
}

TEST(PadRange, GoesOnPastTheFirstMirror) {
    EXPECT_EQ(padded(PadMode::reflect, 3, 5, 4), "babcbabcbabc");
    EXPECT_EQ(padded(PadMode::reflect, 2, 3, 4), "babababab");
    EXPECT_EQ(padded(PadMode::symmetric, 2, 5, 3), "aabbaabbaa");
    EXPECT_EQ(padded(PadMode::wrap, 3, 4, 7), "cabcabcabcabca");
    EXPECT_EQ(padded(PadMode::reflect, 1, 2, 2), "aaaaa");
    EXPECT_EQ(padded(PadMode::symmetric, 1, 2, 0), "aaa");
}

TEST(PadRange, TakesPlacesAway) {
    EXPECT_EQ(padded(PadMode::constant, 4, -1, 2), "bcd..");
    EXPECT_EQ(padded(PadMode::constant, 4, 2, -3), "..a");
    EXPECT_EQ(padded(PadMode::constant, 4, -1, -2), "b");
    EXPECT_EQ(padded(PadMode::edge, 4, 2, -2), "aaab");
    EXPECT_EQ(padded(PadMode::edge, 2, -5, 6), "bbb");
    EXPECT_EQ(padded(PadMode::reflect, 5, -1, 2), "bcdedc");
    EXPECT_EQ(padded(PadMode::reflect, 4, 2, -3), "cba");
    EXPECT_EQ(padded(PadMode::symmetric, 4, 3, -3), "cbaa");
}

TEST(PadRange, WrapsTheElementsThatAreLeft) {
    EXPECT_EQ(padded(PadMode::wrap, 4, -1, 2), "bcdbc");
    EXPECT_EQ(padded(PadMode::wrap, 4, 3, -3), "aaaa");
    EXPECT_EQ(PadRange(PadMode::wrap, 4, -5, 6).count, 0);
}

TEST(PadRange, ShowsNoElement) {
    EXPECT_EQ(padded(PadMode::constant, 2, -5, 6), "...");
    EXPECT_EQ(padded(PadMode::constant, 2, 4, -3), "...");
    EXPECT_EQ(padded(PadMode::constant, 0, 1, 2), "...");
    EXPECT_EQ(padded(PadMode::constant, 2, -1, -1), "");
    for (const PadRange& range :
         {PadRange(PadMode::edge, 2, 4, -3), PadRange(PadMode::edge, 2, -5, 6),
          PadRange(PadMode::wrap, 2, 4, -3)}) {
        EXPECT_EQ(range.begin(), range.end());
    }
}

TEST(PadRange, KnowsThePlacesOfTheElements) {
    const PadRange range(PadMode::edge, 5, 3, -1);
    EXPECT_EQ(range.length, 7);
    EXPECT_EQ(range.begin(), 3);
    EXPECT_EQ(range.end(), 7);
    EXPECT_EQ(range.element_at_0(), -3);
    EXPECT_EQ(PadRange(PadMode::wrap, 5, -2, 1).element_at_0(), 2);
}

}  // namespace
}  // namespace rondo::ops::pad_range_test
