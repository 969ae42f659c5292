// Minimum, median, percentiles and text of a series of times.
#pragma once

#include <cstddef>
#include <string>
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

/// "1.25 ms", or "18.3 us" below a millisecond.
std::string duration_text(double milliseconds);

/// "3.1 MB", "12 B".
std::string bytes_text(double bytes);

/// "1 layer", "2 layers"; `many` where another letter than an s makes the plural.
std::string counted(std::size_t count, const std::string& one, const std::string& many = "");

}  // namespace rondo::tool
