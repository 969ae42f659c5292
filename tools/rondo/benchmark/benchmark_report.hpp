// The benchmark's report: as text, and as files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "benchmark/benchmark_loop.hpp"
#include "benchmark/roofline.hpp"
#include "benchmark/surroundings.hpp"
#include "rondo/infer_request.hpp"
#include "statistics.hpp"

namespace rondo::tool {

struct BenchmarkResult {
    std::string topology;  ///< the model's name
    std::string api;
    std::string execution_devices;
    double read_ms = 0;
    double compile_ms = 0;
    double first_ms = 0;  ///< 0: no warm-up
    double duration_ms = 0;
    std::size_t batch = 1;
    std::size_t requests = 1;
    long peak_bytes = 0;          ///< of the process, so far
    bool is_interrupted = false;  ///< by Ctrl-C or SIGTERM
    LatencyStatistics latency;
    std::vector<Sample> samples;
    std::vector<std::string> shapes;       ///< of each input set
    std::vector<ProfilingInfo> profiling;  ///< averages over one inference
    std::vector<TraceSlice> trace;         ///< of the last inference; empty: not asked for
    NamedTexts settings;                   ///< properties that were set
    NamedTexts properties;                 ///< all that the compiled model has
    NamedTexts surroundings;
    std::vector<NodeInfo> nodes;          ///< that ran; empty: no report asks for them
    std::optional<MachineLimits> limits;  ///< nothing: no report asks for them, or open shapes

    /// Samples a second: inferences times batch.
    double throughput() const;
    /// What each node reaches of the machine's limit.
    LimitShares shares() const;
};

/// The latencies of one input set, or of all.
std::vector<double> latencies_of(const std::vector<Sample>& samples);
std::vector<double> latencies_of(const std::vector<Sample>& samples, std::size_t inputs);

/// True if a report shows how near nodes come to the machine's limit: the page, and counters as
/// JSON.
bool shows_limits(const BenchmarkOptions& options);

/// benchmark_app's closing lines.
void print_summary(const BenchmarkResult& result, const BenchmarkOptions& options);

/// Writes the files of report_paths(). The keys are benchmark_app's. Throws ModelError if they
/// can't be written.
void write_reports(const BenchmarkResult& result, const BenchmarkOptions& options);

/// Chrome's trace format: a complete event a slice, with its kernel as an argument, and the names
/// of the threads. Times are in microseconds.
std::string trace_json(const std::vector<TraceSlice>& slices);

/// Those of `-json_stats` and `-report_type` in `-report_folder`: benchmark_report and, with
/// counters, benchmark_average_counters_report or benchmark_detailed_counters_report, .json with
/// `-json_stats`, else .csv. Live streams have benchmark_streams.json alone.
std::vector<std::string> report_paths(const BenchmarkOptions& options);

/// Makes the reports' folder. Throws ModelError for files that won't be written or whose names end
/// in the wrong way, and for those that can't be written, before a measurement that would be lost.
void check_outputs(const BenchmarkOptions& options);

}  // namespace rondo::tool
