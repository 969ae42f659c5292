// Draws latencies over the number of live streams.
#pragma once

#include <string>
#include <vector>

#include "streams/live_streams.hpp"

namespace rondo::tool {

/// An SVG picture: p50 and p99 of each result, on logarithmic axes, and the bound as a line.
std::string plot_of(const std::string& title, std::vector<LiveResult> results, double bound_ms);

}  // namespace rondo::tool
