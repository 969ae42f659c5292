// Minimum, median and percentiles of a series of times.
#pragma once

#include <cstddef>
#include <vector>

namespace rondo::tool {

/// All in milliseconds.
struct LatencyStatistics {
    std::size_t count = 0;
    double median = 0;
    double percentile = 0;  ///< the requested one
    double p99 = 0;
    double average = 0;
    double min = 0;
    double max = 0;
};

/// `percentile` in 1..100; nearest rank. An empty series gives zeros.
LatencyStatistics summarize(std::vector<double> milliseconds, unsigned percentile);

}  // namespace rondo::tool
