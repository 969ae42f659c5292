#include "benchmark/benchmark_report.hpp"

#include <filesystem>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "benchmark/counters.hpp"
#include "files.hpp"
#include "rondo/error.hpp"
#include "texts.hpp"

namespace rondo::tool {

namespace {

using nlohmann::json;

constexpr int kNameWidth = 18;  // values are below each other

std::string percentile_name(unsigned percentile) {
    return percentile == 50 ? "Median" : std::to_string(percentile) + " percentile";
}

json setup_json(const BenchmarkResult& result, const BenchmarkOptions& options) {
    json setup = {{"topology", result.topology},
                  {"target device", options.device},
                  {"API", result.api},
                  {"inference_only", options.inference_only},
                  {"batch size", result.batch},
                  {"number of iterations", options.iterations.value_or(0)},
                  {"number of parallel infer requests", result.requests},
                  {"duration (ms)", options.seconds.value_or(0) * 1e3}};
    for (const auto& [name, value] : result.settings) setup["properties"][name] = value;
    return setup;
}

json latency_json(const LatencyStatistics& latency) {
    return {{"latency (ms)", latency.percentile}, {"median latency", latency.median},
            {"avg latency", latency.average},     {"min latency", latency.min},
            {"max latency", latency.max},         {"p99 latency", latency.p99}};
}

json to_json(const BenchmarkResult& result, const BenchmarkOptions& options) {
    json typed = json::object();
    for (const auto& [name, value] : options.typed) typed[name] = value;
    json results = latency_json(result.latency);
    results.update({{"execution_devices", result.execution_devices},
                    {"read model time (ms)", result.read_ms},
                    {"compile model time (ms)", result.compile_ms},
                    {"first inference time (ms)", result.first_ms},
                    {"total execution time (ms)", result.duration_ms},
                    {"total number of iterations", result.latency.count},
                    {"latency percentile", options.percentile},
                    {"throughput", result.throughput()},
                    {"peak memory (bytes)", result.peak_bytes},
                    {"interrupted", result.is_interrupted}});
    for (std::size_t i = 0; options.by_shape && i < result.shapes.size(); ++i) {
        json group = latency_json(summarize(latencies_of(result.samples, i), options.percentile));
        group["data shapes"] = result.shapes[i];
        results["latency of each data shape"].push_back(group);
    }
    return {{"cmd_options", typed},
            {"configuration_setup", setup_json(result, options)},
            {"execution_results", results}};
}

std::string to_csv(const json& report) {
    std::ostringstream file;
    const auto plain = [](const json& value) {
        // On one line, as a row is; bytes that aren't UTF-8 as json_text() has them.
        return value.is_string() ? value.get<std::string>()
                                 : value.dump(-1, ' ', false, json::error_handler_t::replace);
    };
    for (const char* part : {"cmd_options", "configuration_setup", "execution_results"}) {
        for (const auto& [name, value] : report.at(part).items()) {
            file << name << ';' << plain(value) << '\n';
        }
    }
    return file.str();
}

void print_latency(const LatencyStatistics& latency, unsigned percentile) {
    const auto print = [](const std::string& name, double milliseconds) {
        std::cout << "[ INFO ]    " << std::left << std::setw(kNameWidth) << name + ":"
                  << duration_text(milliseconds) << '\n';
    };
    print(percentile_name(percentile), latency.percentile);
    print("Average", latency.average);
    print("Min", latency.min);
    print("Max", latency.max);
    print("p99", latency.p99);
}

}  // namespace

double BenchmarkResult::throughput() const {
    if (duration_ms <= 0) return 0;
    return 1e3 * static_cast<double>(latency.count * batch) / duration_ms;
}

std::vector<double> latencies_of(const std::vector<Sample>& samples) {
    std::vector<double> latencies;
    for (const Sample& sample : samples) latencies.push_back(sample.latency_ms);
    return latencies;
}

std::vector<double> latencies_of(const std::vector<Sample>& samples, std::size_t inputs) {
    std::vector<double> latencies;
    for (const Sample& sample : samples) {
        if (sample.inputs == inputs) latencies.push_back(sample.latency_ms);
    }
    return latencies;
}

LimitShares BenchmarkResult::shares() const {
    return limits ? limit_shares(profiling, nodes, *limits) : LimitShares();
}

bool shows_limits(const BenchmarkOptions& options) {
    const bool has_counters = !options.report_type.empty() && options.report_type != "no_counters";
    return !options.html.empty() || (options.json_stats && has_counters);
}

void print_summary(const BenchmarkResult& result, const BenchmarkOptions& options) {
    if (result.is_interrupted) std::cout << "[ INFO ] Interrupted; measured so far:\n";
    std::cout << "[ INFO ] Execution Devices: [ " << result.execution_devices << " ]\n"
              << "[ INFO ] Count:               " << result.latency.count << " iterations\n"
              << "[ INFO ] Duration:            " << duration_text(result.duration_ms) << '\n'
              << "[ INFO ] Latency:\n";
    print_latency(result.latency, options.percentile);
    for (std::size_t i = 0; options.by_shape && i < result.shapes.size(); ++i) {
        std::cout << "[ INFO ] Latency of data shape " << i + 1 << ", " << result.shapes[i]
                  << ":\n";
        print_latency(summarize(latencies_of(result.samples, i), options.percentile),
                      options.percentile);
    }
    std::cout << "[ INFO ] Peak memory:         "
              << bytes_text(static_cast<double>(result.peak_bytes)) << '\n'
              << "[ INFO ] Throughput:          " << formatted("%.2f FPS", result.throughput())
              << std::endl;
}

void write_reports(const BenchmarkResult& result, const BenchmarkOptions& options) {
    const auto paths = report_paths(options);
    if (paths.empty()) return;
    const json report = to_json(result, options);
    write_file(paths[0], {options.json_stats ? json_text(report) + "\n" : to_csv(report)});
    if (paths.size() == 1) return;
    const bool detailed = options.report_type == "detailed_counters";
    const auto rows = ordered(result.profiling, detailed ? "" : "simple_sort");
    const std::string kind = detailed ? "detailed" : "average";
    write_file(paths[1], {options.json_stats ? counters_json(rows, kind, result.shares()) + "\n"
                                             : counters_csv(rows)});
}

namespace {

double trace_time(std::chrono::nanoseconds time) { return static_cast<double>(time.count()) / 1e3; }

nlohmann::json name_of(const char* what, int thread, const std::string& name) {
    return {{"ph", "M"}, {"name", what}, {"pid", 1}, {"tid", thread}, {"args", {{"name", name}}}};
}

}  // namespace

std::string trace_json(const std::vector<TraceSlice>& slices) {
    nlohmann::json events = nlohmann::json::array();
    events.push_back(name_of("process_name", 0, "rondo"));
    std::set<int> threads;
    for (const TraceSlice& slice : slices) threads.insert(slice.thread);
    for (const int thread : threads) {
        const std::string name = thread == 0 ? "inference" : "helper " + std::to_string(thread);
        events.push_back(name_of("thread_name", thread, name));
    }
    for (const TraceSlice& slice : slices) {
        nlohmann::json event = {{"ph", "X"},
                                {"name", slice.node_name},
                                {"cat", slice.node_type},
                                {"pid", 1},
                                {"tid", slice.thread},
                                {"ts", trace_time(slice.start)},
                                {"dur", trace_time(slice.duration)},
                                {"args", {{"kernel", slice.exec_type}, {"type", slice.node_type}}}};
        if (slice.part) event["args"]["part"] = *slice.part;
        events.push_back(std::move(event));
    }
    return json_text({{"traceEvents", events}, {"displayTimeUnit", "ns"}});
}

namespace {

struct Output {
    const char* option;
    const std::string& path;
    const char* ending;  ///< empty: any
};

std::vector<Output> outputs_of(const BenchmarkOptions& options) {
    return {{"-html", options.html, ".html"},
            {"-trace", options.trace, ".json"},
            {"-plot", options.live.plot, ".svg"},
            {"-exec_graph_path", options.exec_graph, ".xml"},
            {"-dump_config", options.dump_config, ""}};
}

void check_against_streams(const BenchmarkOptions& options) {
    const bool has_streams = !options.live.streams.empty();
    if (!has_streams && !options.live.plot.empty()) {
        throw ModelError("-plot draws live streams; give their number as -streams");
    }
    if (!has_streams) return;
    if (!options.html.empty() || !options.trace.empty() || !options.report_type.empty()) {
        throw ModelError(
            "-streams has -plot and -json_stats; leave -html, -trace and -report_type out");
    }
}

}  // namespace

std::vector<std::string> report_paths(const BenchmarkOptions& options) {
    const std::filesystem::path folder = options.report_folder;
    if (!options.live.streams.empty()) {
        if (!options.json_stats) return {};
        return {(folder / "benchmark_streams.json").string()};
    }
    if (!options.json_stats && options.report_type.empty()) return {};
    const std::string ending = options.json_stats ? ".json" : ".csv";
    std::vector<std::string> paths{(folder / ("benchmark_report" + ending)).string()};
    if (!options.report_type.empty() && options.report_type != "no_counters") {
        paths.push_back(folder / ("benchmark_" + options.report_type + "_report" + ending));
    }
    return paths;
}

void check_outputs(const BenchmarkOptions& options) {
    check_against_streams(options);
    for (const Output& output : outputs_of(options)) {
        if (output.path.empty()) continue;
        if (!output.path.ends_with(output.ending)) {
            throw ModelError(std::string(output.option) + " " + output.path +
                             ": the file must end in " + output.ending);
        }
        check_writable(output.path);
    }
    const auto reports = report_paths(options);
    if (!reports.empty()) make_folder(options.report_folder);
    for (const std::string& path : reports) check_writable(path);
}

}  // namespace rondo::tool
