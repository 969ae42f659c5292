#include "core/support/unique_names.hpp"

#include <gtest/gtest.h>

namespace rondo::unique_names_test {
namespace {

TEST(UniqueNames, NumbersWhatIsTaken) {
    UniqueNames names;
    EXPECT_EQ(names.take("a"), "a");
    EXPECT_EQ(names.take("a"), "a_1");
    EXPECT_EQ(names.take("a"), "a_2");
    EXPECT_EQ(names.take("b"), "b");
}

TEST(UniqueNames, SkipsANumberedNameThatIsTakenItself) {
    UniqueNames names;
    names.take("a_1");
    names.take("a");
    EXPECT_EQ(names.take("a"), "a_2");
    EXPECT_EQ(names.take("a_1"), "a_1_1");
}

TEST(UniqueNames, NumbersStartWhereAsked) {
    UniqueNames names(2);
    EXPECT_TRUE(names.insert("a"));
    EXPECT_FALSE(names.insert("a"));
    EXPECT_EQ(names.take("a"), "a_2");
    EXPECT_EQ(names.take("a"), "a_3");
    EXPECT_EQ(names.take("a_2"), "a_2_2");
}

TEST(UniqueNames, NumbersAFreeNameWhereAsked) {
    UniqueNames names;
    EXPECT_EQ(names.take_numbered("a"), "a_1");
    EXPECT_EQ(names.take("a"), "a_2");  // the name without a number counts as taken
    EXPECT_EQ(names.take_numbered("a"), "a_3");
}

TEST(UniqueNames, GoBack) {
    UniqueNames names;
    names.take("a");
    const UniqueNames::Mark before = names.mark();
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(names.take("a"), "a_1");
        EXPECT_EQ(names.take("a"), "a_2");
        EXPECT_EQ(names.take("b"), "b");
        names.go_back_to(before);
    }
    EXPECT_TRUE(names.insert("b"));
    EXPECT_FALSE(names.insert("a"));
}

TEST(UniqueNames, AppendsUnderscoresWhereAsked) {
    UniqueNames names;
    EXPECT_EQ(names.take_underscored("a"), "a");
    EXPECT_EQ(names.take_underscored("a"), "a_");
    EXPECT_EQ(names.take_underscored("a"), "a__");
    EXPECT_FALSE(names.insert("a_"));
}

}  // namespace
}  // namespace rondo::unique_names_test
