#include "core/support/strings.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <limits>

namespace rondo::strings_test {
namespace {

using Parts = std::vector<std::string>;

TEST(Strings, LowerTheCaseOfAsciiOnly) {
    EXPECT_EQ(to_lower("LSTM_Cell 9\xC4"), "lstm_cell 9\xC4");
    EXPECT_TRUE(equals_ignoring_case("MatMul", "mATmUL"));
    EXPECT_FALSE(equals_ignoring_case("MatMul", "MatMu"));
    EXPECT_FALSE(equals_ignoring_case("a", "b"));
}

TEST(Strings, TrimBothEnds) {
    EXPECT_EQ(trim(" \t\r\n a b \n"), "a b");
    EXPECT_EQ(trim(" \n "), "");
    EXPECT_EQ(trim(""), "");
}

TEST(Strings, SplitKeepsEmptyParts) {
    EXPECT_EQ(split("a, b ,c", ','), (Parts{"a", "b", "c"}));
    EXPECT_EQ(split(",a,", ','), (Parts{"", "a", ""}));
    EXPECT_EQ(split("  ", ','), Parts{});
    EXPECT_EQ(split("one", ','), Parts{"one"});
}

TEST(Strings, JoinIsTheInverseOfSplit) {
    for (const Parts& parts : {Parts{}, Parts{"a"}, Parts{"", "a", ""}, Parts{"", "b"}}) {
        EXPECT_EQ(split(join(parts, ","), ','), parts);
    }
    EXPECT_EQ(join({"a", "b"}, ", "), "a, b");
}

TEST(Strings, OneThingIsNoPlural) {
    EXPECT_EQ(counted(0, "input"), "0 inputs");
    EXPECT_EQ(counted(1, "input"), "1 input");
    EXPECT_EQ(counted(2, "input"), "2 inputs");
}

TEST(Strings, QuoteAtMostTwentyNames) {
    EXPECT_EQ(quoted_list({}), "none");
    EXPECT_EQ(quoted_list({"a", "b"}), "'a', 'b'");
    const std::string most = quoted_list(Parts(40, "x"));
    EXPECT_EQ(most.find("more"), std::string::npos);
    const std::string many = quoted_list(Parts(43, "x"));
    EXPECT_NE(many.find("'x', ... (3 more)"), std::string::npos) << many;
}

TEST(Strings, ParseWholeIntegers) {
    long long value = 0;
    EXPECT_TRUE(parse_int(" -12 ", value));
    EXPECT_EQ(value, -12);
    EXPECT_TRUE(parse_int("+7", value));
    EXPECT_EQ(value, 7);
    EXPECT_TRUE(parse_int("-9223372036854775808", value));
    EXPECT_EQ(value, std::numeric_limits<long long>::min());
    for (const char* text :
         {"", " ", "1x", "x", "1.5", "1 2", "0x10", "9223372036854775808", "+", "+-5"}) {
        EXPECT_FALSE(parse_int(text, value)) << text;
    }
}

TEST(Strings, ParseNumbersInAnyLocale) {
    const std::string before = std::setlocale(LC_NUMERIC, nullptr);
    std::setlocale(LC_NUMERIC, "de_DE.UTF-8");  // where it is installed
    double value = 0;
    EXPECT_TRUE(parse_double("1.5e-3", value));
    EXPECT_EQ(value, 0.0015);
    std::setlocale(LC_NUMERIC, before.c_str());
    EXPECT_TRUE(parse_double("+2", value));
    EXPECT_EQ(value, 2);
    EXPECT_TRUE(parse_double("-inf", value));
    EXPECT_EQ(value, -std::numeric_limits<double>::infinity());
    for (const char* text : {"", "1,5", "1.5x", "one", "1e999"}) {
        EXPECT_FALSE(parse_double(text, value)) << text;
    }
}

}  // namespace
}  // namespace rondo::strings_test
