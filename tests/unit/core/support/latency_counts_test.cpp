#include "core/support/latency_counts.hpp"

#include <gtest/gtest.h>

namespace rondo::latency_counts_test {
namespace {

using std::chrono::nanoseconds;

TEST(LatencyCounts, HasNoQuantileOfNothing) {
    const LatencyCounts counts;
    EXPECT_EQ(counts.count(), 0U);
    EXPECT_EQ(counts.quantile(0.5), nanoseconds(0));
    EXPECT_EQ(counts.max(), nanoseconds(0));
}

// Every quantile is at least the true one and at most 1/32 larger, whatever the length.
TEST(LatencyCounts, BoundsQuantilesFromAbove) {
    for (const std::int64_t length : {0LL, 1LL, 31LL, 32LL, 33LL, 63LL, 64LL, 65LL, 1000LL,
                                      123456LL, 7654321LL, 9876543210LL, 4000000000000000LL}) {
        LatencyCounts counts;
        counts.add(nanoseconds(length));
        counts.add(nanoseconds(5000000000000000LL));
        const auto p50 = counts.quantile(0.5).count();
        EXPECT_GE(p50, length);
        EXPECT_LE(p50, length + length / 32);
        EXPECT_EQ(counts.quantile(1).count(), 5000000000000000LL);
    }
}

TEST(LatencyCounts, FindsTheQuantileOfAMixture) {
    LatencyCounts counts;
    for (int i = 1; i <= 1000; ++i) counts.add(nanoseconds(i * 1000));
    EXPECT_EQ(counts.count(), 1000U);
    EXPECT_NEAR(static_cast<double>(counts.quantile(0.5).count()), 500000, 500000 / 30.0);
    EXPECT_NEAR(static_cast<double>(counts.quantile(0.99).count()), 990000, 990000 / 30.0);
    EXPECT_EQ(counts.max(), nanoseconds(1000000));
    EXPECT_EQ(counts.quantile(1), nanoseconds(1000000));
}

TEST(LatencyCounts, Merges) {
    LatencyCounts a;
    LatencyCounts b;
    a.add(nanoseconds(10));
    b.add(nanoseconds(20));
    b.add(nanoseconds(30));
    a.merge(b);
    EXPECT_EQ(a.count(), 3U);
    EXPECT_EQ(a.quantile(0.5), nanoseconds(20));
    EXPECT_EQ(a.max(), nanoseconds(30));
}

TEST(LatencyCounts, CountsPowersOfTwo) {
    LatencyCounts counts;
    EXPECT_TRUE(counts.octaves().empty());
    for (const int length : {4, 5, 7, 1000, 1023}) counts.add(nanoseconds(length));
    const auto octaves = counts.octaves();
    ASSERT_EQ(octaves.size(), 8U);  // up to 7, 15, ... 1023
    EXPECT_EQ(octaves.front(), std::pair(nanoseconds(7), std::uint64_t{3}));
    EXPECT_EQ(octaves[1], std::pair(nanoseconds(15), std::uint64_t{0}));
    EXPECT_EQ(octaves.back(), std::pair(nanoseconds(1023), std::uint64_t{2}));
    counts.add(nanoseconds::max());
    EXPECT_EQ(counts.octaves().back(), std::pair(nanoseconds::max(), std::uint64_t{1}));
    EXPECT_EQ(counts.quantile(1), nanoseconds::max());
}

}  // namespace
}  // namespace rondo::latency_counts_test
