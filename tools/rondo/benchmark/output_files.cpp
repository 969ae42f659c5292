#include "benchmark/output_files.hpp"

#include <filesystem>

#include "files.hpp"
#include "rondo/error.hpp"

namespace rondo::tool {
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
