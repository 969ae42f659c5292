#include "benchmark_report.hpp"

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "files.hpp"
#include "json_text.hpp"

namespace rondo::tool {
namespace {

const char* status_text(ProfilingInfo::Status status) {
    switch (status) {
        case ProfilingInfo::Status::executed: return "EXECUTED";
        case ProfilingInfo::Status::optimized_out: return "OPTIMIZED_OUT";
        case ProfilingInfo::Status::not_run: break;
    }
    return "NOT_RUN";
}

double microseconds(const ProfilingInfo& row) {
    return static_cast<double>(row.real_time_ns.count()) / 1e3;
}

std::string percentile_name(unsigned percentile) {
    return percentile == 50 ? "Median" : std::to_string(percentile) + " percentile";
}

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.resize(width, ' ');
    return text;
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + "\"";
}

nlohmann::json to_json(const BenchmarkResult& result, const BenchmarkOptions& options) {
    nlohmann::json report;
    for (const auto& [name, value] : result.settings) report["configuration"][name] = value;
    report["execution_results"] = {{"execution_devices", result.execution_devices},
                                   {"read_model_time_ms", result.read_ms},
                                   {"compile_model_time_ms", result.compile_ms},
                                   {"first_inference_time_ms", result.first_ms},
                                   {"execution_time_ms", result.duration_ms},
                                   {"iterations_num", result.latency.count},
                                   {"latency_median_ms", result.latency.median},
                                   {"latency_percentile_ms", result.latency.percentile},
                                   {"latency_percentile", options.percentile},
                                   {"latency_p99_ms", result.latency.p99},
                                   {"latency_avg_ms", result.latency.average},
                                   {"latency_min_ms", result.latency.min},
                                   {"latency_max_ms", result.latency.max},
                                   {"throughput_fps", result.throughput()}};
    for (const auto& row : result.profiling) {
        report["counters"].push_back({{"name", row.node_name},
                                      {"type", row.node_type},
                                      {"kernel", row.exec_type},
                                      {"status", status_text(row.status)},
                                      {"real_time_us", microseconds(row)}});
    }
    return report;
}

void write_csv(const BenchmarkResult& result, const std::filesystem::path& folder) {
    std::ostringstream file;
    for (const auto& [name, value] : result.settings) {
        file << quoted(name) << ';' << quoted(value) << '\n';
    }
    file << "execution devices;" << result.execution_devices << "\niterations;"
         << result.latency.count << "\nduration (ms);" << result.duration_ms
         << "\nfirst inference (ms);" << result.first_ms << "\nlatency median (ms);"
         << result.latency.median << "\nlatency percentile (ms);" << result.latency.percentile
         << "\nlatency p99 (ms);" << result.latency.p99 << "\nlatency average (ms);"
         << result.latency.average << "\nlatency min (ms);" << result.latency.min
         << "\nlatency max (ms);" << result.latency.max << "\nthroughput (FPS);"
         << result.throughput() << '\n';
    write_file(folder / "benchmark_report.csv", {file.str()});
}

// average_counters: nodes that ran; detailed_counters: all of them.
void write_counters(const BenchmarkResult& result, const std::filesystem::path& folder,
                    bool detailed) {
    std::ostringstream file;
    file << "name;status;type;kernel;real time (us)\n";
    for (const auto& row : result.profiling) {
        if (!detailed && row.status != ProfilingInfo::Status::executed) continue;
        file << quoted(row.node_name) << ';' << status_text(row.status) << ';' << row.node_type
             << ';' << quoted(row.exec_type) << ';' << microseconds(row) << '\n';
    }
    write_file(folder / "benchmark_counters.csv", {file.str()});
}

}  // namespace

double BenchmarkResult::throughput() const {
    if (duration_ms <= 0) return 0;
    return 1e3 * static_cast<double>(latency.count * batch) / duration_ms;
}

void print_summary(const BenchmarkResult& result, const BenchmarkOptions& options) {
    const LatencyStatistics& latency = result.latency;
    std::cout << "[ INFO ] Execution Devices: [ " << result.execution_devices << " ]\n"
              << "[ INFO ] Count:               " << latency.count << " iterations\n"
              << "[ INFO ] Duration:            " << duration_text(result.duration_ms) << '\n'
              << "[ INFO ] Latency:\n"
              << "[ INFO ]    " << percentile_name(options.percentile) << ":           "
              << duration_text(latency.percentile) << '\n'
              << "[ INFO ]    Average:          " << duration_text(latency.average) << '\n'
              << "[ INFO ]    Min:              " << duration_text(latency.min) << '\n'
              << "[ INFO ]    Max:              " << duration_text(latency.max) << '\n'
              << "[ INFO ]    p99:              " << duration_text(latency.p99) << '\n';
    char throughput[64];
    std::snprintf(throughput, sizeof throughput, "%.2f FPS", result.throughput());
    std::cout << "[ INFO ] Throughput:          " << throughput << std::endl;
}

void print_counters(const std::vector<ProfilingInfo>& rows) {
    double total = 0;
    for (const auto& row : rows) {
        char times[64];
        std::snprintf(times, sizeof times, "%-14s %10.2f us", status_text(row.status),
                      microseconds(row));
        std::cout << times << "  " << padded(row.node_type, 16) << ' ' << padded(row.exec_type, 28)
                  << ' ' << row.node_name << '\n';
        total += microseconds(row);
    }
    std::cout << "Total: " << duration_text(total / 1e3) << " an inference\n";
}

void write_reports(const BenchmarkResult& result, const BenchmarkOptions& options) {
    const std::filesystem::path folder = options.report_folder;
    if (options.json_stats) {
        write_file(folder / "benchmark_report.json", {json_text(to_json(result, options)), "\n"});
    }
    if (options.report_type.empty()) return;
    write_csv(result, folder);
    if (options.report_type != "no_counters") {
        write_counters(result, folder, options.report_type == "detailed_counters");
    }
}

}  // namespace rondo::tool
