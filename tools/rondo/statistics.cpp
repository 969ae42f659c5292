#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace rondo::tool {
namespace {

double nearest_rank(const std::vector<double>& sorted, unsigned percentile) {
    const std::size_t rank = (percentile * sorted.size() + 99) / 100;  // rounded up
    return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

}  // namespace

LatencyStatistics summarize(std::vector<double> times, unsigned percentile) {
    LatencyStatistics result;
    result.count = times.size();
    if (times.empty()) return result;
    std::sort(times.begin(), times.end());
    result.median = nearest_rank(times, 50);
    result.percentile = nearest_rank(times, percentile);
    result.p99 = nearest_rank(times, 99);
    result.average =
        std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
    result.min = times.front();
    result.max = times.back();
    return result;
}

std::string duration_text(double milliseconds) {
    char text[40];
    if (milliseconds < 1.0) {
        std::snprintf(text, sizeof text, "%.2f us", milliseconds * 1e3);
    } else {
        std::snprintf(text, sizeof text, "%.2f ms", milliseconds);
    }
    return text;
}

std::string bytes_text(double bytes) {
    const char* units[] = {"B", "kB", "MB", "GB"};
    int unit = 0;
    for (; bytes >= 1000.0 && unit < 3; ++unit) bytes /= 1000.0;
    char text[40];
    std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    return text;
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
    const std::string& word = count == 1 ? one : many.empty() ? one + "s" : many;
    return std::to_string(count) + " " + word;
}

}  // namespace rondo::tool
