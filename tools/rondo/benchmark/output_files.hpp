// The files that a benchmark writes.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"

namespace rondo::tool {

/// Those of `-json_stats` and `-report_type` in `-report_folder`: benchmark_report and, with
/// counters, benchmark_average_counters_report or benchmark_detailed_counters_report, .json with
/// `-json_stats`, else .csv. Live streams have benchmark_streams.json alone.
std::vector<std::string> report_paths(const BenchmarkOptions& options);

/// Makes the reports' folder. Throws ModelError for files that won't be written or whose names end
/// in the wrong way, and for those that can't be written, before a measurement that would be lost.
void check_outputs(const BenchmarkOptions& options);

}  // namespace rondo::tool
