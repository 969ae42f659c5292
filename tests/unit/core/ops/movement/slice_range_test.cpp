// Which elements of an axis start:stop:step takes, and how many of an open one.
#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::ops::slice_range_test {
namespace {

using test::kHighest;
using test::kLowest;

// What the rule takes, element by element: start there, go on while before the stop.
std::vector<std::int64_t> taken(const SliceRequest& request, std::int64_t extent) {
    const std::int64_t step = *request.step;
    std::int64_t start = *request.start < 0 ? *request.start + extent : *request.start;
    const std::int64_t stop = *request.stop < 0 ? *request.stop + extent : *request.stop;
    if (step < 0) start = std::min(start, extent - 1);
    start = std::max<std::int64_t>(start, 0);
    std::vector<std::int64_t> indices;
    for (std::int64_t i = start; step > 0 ? i < stop : i > stop; i += step) {
        if (i < 0 || i >= extent) break;
        indices.push_back(i);
    }
    return indices;
}

template <typename Visit>
void for_each_small_request(Visit visit) {
    for (std::int64_t start = -7; start <= 7; ++start) {
        for (std::int64_t stop = -7; stop <= 7; ++stop) {
            for (const std::int64_t step : {-3, -2, -1, 1, 2, 3}) visit({start, stop, step});
        }
    }
}

TEST(SliceRange, TakesWhatTheRuleTakes) {
    for_each_small_request([](const SliceRequest& request) {
        for (std::int64_t extent = 0; extent <= 6; ++extent) {
            const auto expected = taken(request, extent);
            const SliceRange range = resolve(request, extent);
            ASSERT_EQ(range.length, static_cast<std::int64_t>(expected.size()))
                << *request.start << ":" << *request.stop << ":" << *request.step << " of "
                << extent;
            for (std::int64_t i = 0; i < range.length; ++i) {
                ASSERT_EQ(range.start + i * range.step, expected[static_cast<std::size_t>(i)]);
            }
        }
    });
}

// Python would take nothing.
TEST(SliceRange, GoesDownFromTheFirstWhereTheStartIsBeforeIt) {
    for (const std::int64_t start : {kLowest, std::int64_t{-8}, std::int64_t{-5}}) {
        const SliceRange range = resolve({start, kLowest, -1}, 5);
        EXPECT_EQ(range.start, 0) << start;
        EXPECT_EQ(range.length, 1) << start;
    }
    EXPECT_EQ(resolve({-8, -5, -1}, 5).length, 0);
    EXPECT_EQ(resolve({-8, kLowest, -1}, 0).length, 0);
}

TEST(SliceRange, BoundsTheLengthExactly) {
    for_each_small_request([](const SliceRequest& request) {
        for (std::int64_t min = 0; min <= 6; ++min) {
            std::int64_t low = kHighest;
            std::int64_t high = 0;
            for (std::int64_t max = min; max <= 20; ++max) {
                const std::int64_t length = resolve(request, max).length;
                low = std::min(low, length);
                high = std::max(high, length);
                ASSERT_EQ(sliced_extent(request, {min, max}), Dimension(low, high))
                    << *request.start << ":" << *request.stop << ":" << *request.step << " of "
                    << min << ".." << max;
            }
        }
    });
}

std::string bounds(const SliceRequest& request, const Dimension& extent) {
    return to_string(sliced_extent(request, extent));
}

TEST(SliceRange, BoundsOpenExtents) {
    EXPECT_EQ(bounds({1, 4, 1}, {}), "..3");
    EXPECT_EQ(bounds({1, 4, 1}, {3, Dimension::kInfinity}), "2..3");
    EXPECT_EQ(bounds({-3, -1, 1}, {}), "..2");
    EXPECT_EQ(bounds({0, kHighest, 1}, {}), "?");
    EXPECT_EQ(bounds({2, kHighest, 1}, {5, Dimension::kInfinity}), "3..");
    EXPECT_EQ(bounds({0, -1, 1}, {5, Dimension::kInfinity}), "4..");
    EXPECT_EQ(bounds({-1, kLowest, -1}, {2, 8}), "2..8");
    EXPECT_EQ(bounds({0, kHighest, 2}, {}), "?");
}

TEST(SliceRange, BoundsWhatIsNotKnownYet) {
    EXPECT_EQ(bounds({std::nullopt, 4, 1}, {8}), "..8");
    EXPECT_EQ(bounds({0, std::nullopt, 3}, {8}), "..3");
    EXPECT_EQ(bounds({0, 1, std::nullopt}, {2, 8}), "..8");
    EXPECT_EQ(bounds({std::nullopt, std::nullopt, 1}, {0}), "0");
    EXPECT_EQ(bounds({std::nullopt, std::nullopt, kLowest}, {}), "..1");
}

TEST(SliceRange, SurvivesHostileNumbers) {
    for (const std::int64_t start : {kLowest, kHighest, std::int64_t{0}}) {
        for (const std::int64_t stop : {kLowest, kHighest, std::int64_t{0}}) {
            for (const std::int64_t step : {kLowest, kHighest, std::int64_t{-1}}) {
                for (const std::int64_t extent :
                     {std::int64_t{0}, std::int64_t{1}, std::int64_t{5}, kHighest}) {
                    const SliceRange range = resolve({start, stop, step}, extent);
                    EXPECT_GE(range.start, 0);
                    EXPECT_LE(range.length, extent);
                    sliced_extent({start, stop, step}, {0, extent});
                }
            }
        }
    }
    EXPECT_EQ(resolve({3, kLowest, kLowest}, 5).length, 1);
    EXPECT_EQ(resolve({3, kLowest, kLowest}, 5).step, 1);
    EXPECT_EQ(resolve({0, kHighest, kHighest}, 5).length, 1);
}

}  // namespace
}  // namespace rondo::ops::slice_range_test
