#include "tools/rondo/statistics.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace rondo::tool::statistics_test {
namespace {

TEST(Statistics, AreNearestRank) {
    std::vector<double> times(100);
    std::iota(times.rbegin(), times.rend(), 1.0);  // 100 .. 1: not sorted
    const auto result = summarize(times, 90);
    EXPECT_EQ(result.count, 100u);
    EXPECT_EQ(result.median, 50);
    EXPECT_EQ(result.percentile, 90);
    EXPECT_EQ(result.p99, 99);
    EXPECT_EQ(result.average, 50.5);
    EXPECT_EQ(result.min, 1);
    EXPECT_EQ(result.max, 100);
}

TEST(Statistics, RanksAreExact) {
    std::vector<double> times(100);
    std::iota(times.begin(), times.end(), 1.0);
    for (unsigned percentile = 1; percentile <= 100; ++percentile) {
        EXPECT_EQ(summarize(times, percentile).percentile, percentile);
    }
}

TEST(Statistics, OfOneAndOfNone) {
    EXPECT_EQ(summarize({7.0}, 1).percentile, 7);
    EXPECT_EQ(summarize({7.0}, 100).p99, 7);
    EXPECT_EQ(summarize({}, 50).count, 0u);
    EXPECT_EQ(summarize({}, 50).median, 0);
}

}  // namespace
}  // namespace rondo::tool::statistics_test
