// The benchmark's report: as text, and as files.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "rondo/infer_request.hpp"
#include "statistics.hpp"

namespace rondo::tool {

struct BenchmarkResult {
    std::string execution_devices;
    double read_ms = 0;
    double compile_ms = 0;
    double first_ms = 0;
    double duration_ms = 0;
    std::size_t batch = 1;
    LatencyStatistics latency;
    std::vector<ProfilingInfo> profiling;  ///< averages over one inference
    std::vector<std::pair<std::string, std::string>> settings;

    /// Samples a second: inferences times batch.
    double throughput() const;
};

/// benchmark_app's closing lines.
void print_summary(const BenchmarkResult& result, const BenchmarkOptions& options);

/// A row a node: status, name, type, time, kernel.
void print_counters(const std::vector<ProfilingInfo>& rows);

/// `-json_stats`: benchmark_report.json; `-report_type`: benchmark_report.csv and, with counters,
/// benchmark_counters.csv, in `-report_folder`. Throws ModelError where they can't be written.
void write_reports(const BenchmarkResult& result, const BenchmarkOptions& options);

}  // namespace rondo::tool
