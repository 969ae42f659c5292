// Tests a part of transformations/streaming/time_walk.hpp.
#include "transformations/streaming/time_walk.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rondo::passes::alternatives_test {
namespace {

// The second decision depends on the first.
std::vector<std::size_t> run(Alternatives& alternatives) {
    std::vector<std::size_t> taken{alternatives.take(3)};
    if (taken.front() != 1) taken.push_back(alternatives.take(2));
    return taken;
}

TEST(Alternatives, TakesEachWayOnce) {
    Alternatives alternatives;
    std::vector<std::vector<std::size_t>> ways;
    do {
        ways.push_back(run(alternatives));
    } while (alternatives.next());
    EXPECT_EQ(ways, (std::vector<std::vector<std::size_t>>{{0, 0}, {0, 1}, {1}, {2, 0}, {2, 1}}));
}

TEST(Alternatives, RepeatsAWay) {
    Alternatives alternatives;
    run(alternatives);
    ASSERT_TRUE(alternatives.next());
    const auto first = run(alternatives);
    alternatives.rewind();
    EXPECT_EQ(run(alternatives), first);
}

TEST(Alternatives, EndsAtOnceWithoutDecisions) {
    Alternatives alternatives;
    EXPECT_FALSE(alternatives.next());
}

}  // namespace
}  // namespace rondo::passes::alternatives_test
