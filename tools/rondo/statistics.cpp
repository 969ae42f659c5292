#include "statistics.hpp"

#include <algorithm>
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

}  // namespace rondo::tool
