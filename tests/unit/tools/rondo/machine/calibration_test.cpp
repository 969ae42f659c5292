#include "tools/rondo/machine/calibration.hpp"

#include <gtest/gtest.h>

namespace rondo::tool::calibration_test {
namespace {

TEST(Calibration, MeasuresWhatIsAsked) {
    const CacheSizes caches;
    CalibrationOptions options{0.001, std::int64_t{1} << 20, {}};
    const Calibration all = calibrate(VectorSet::plain, caches, 1, options);
    EXPECT_GT(all.gigaflops.best, 0);
    EXPECT_GE(all.gigaflops.best, all.gigaflops.median);
    ASSERT_EQ(all.reads.size(), 3u);  // no third cache
    EXPECT_EQ(all.reads.back().level, "memory");
    options.level = "l1";
    const Calibration one = calibrate(VectorSet::plain, caches, 2, options);
    ASSERT_EQ(one.reads.size(), 1u);
    EXPECT_EQ(one.reads[0].bytes_each, caches.l1 / 2);
    EXPECT_GT(one.reads[0].gigabytes.median, 0);
}

TEST(Calibration, CachesHaveSizes) {
    EXPECT_GE(cache_sizes().l1, 1024);
    EXPECT_GE(cache_sizes().l2, cache_sizes().l1);
}

}  // namespace
}  // namespace rondo::tool::calibration_test
