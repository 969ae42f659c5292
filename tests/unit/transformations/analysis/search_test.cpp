#include "transformations/analysis/search.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rondo::passes::search_test {
namespace {

// The second choice depends on the first.
std::vector<std::size_t> attempt(Search& search) {
    std::vector<std::size_t> taken{search.choose(3)};
    if (taken.front() != 1) taken.push_back(search.choose(2));
    return taken;
}

TEST(Search, TakesEachWayOnce) {
    Search search;
    std::vector<std::vector<std::size_t>> ways;
    do {
        ways.push_back(attempt(search));
    } while (search.go_back());
    EXPECT_EQ(ways, (std::vector<std::vector<std::size_t>>{{0, 0}, {0, 1}, {1}, {2, 0}, {2, 1}}));
}

// Only the first of three choices is wrong: the others aren't tried in vain.
TEST(Search, GoesBackToTheChoiceThatWasWrong) {
    Search search;
    std::size_t attempts = 0;
    while (true) {
        ++attempts;
        Choices first, second, third;
        const std::size_t taken = search.choose(3, first);
        search.choose(5, second);
        search.choose(5, third);
        if (taken == 2) break;
        ASSERT_TRUE(search.go_back(first));
    }
    EXPECT_EQ(attempts, 3U);
}

// The second choice has no other possibility, and exists because of the first.
TEST(Search, GoesBackToTheCauses) {
    Search search;
    Choices causes;
    EXPECT_EQ(search.choose(2, causes), 0U);
    EXPECT_EQ(search.choose(1, causes), 0U);
    ASSERT_TRUE(search.go_back({1}));
    causes.clear();
    EXPECT_EQ(search.choose(2, causes), 1U);
    EXPECT_FALSE(search.go_back(causes));
}

TEST(Search, EndsAtOnceWithoutChoices) {
    Search search;
    EXPECT_FALSE(search.go_back());
}

}  // namespace
}  // namespace rondo::passes::search_test
