#include "benchmark/benchmark_arguments.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "options/option_checks.hpp"
#include "rondo/error.hpp"
#include "streams/streams_benchmark.hpp"

namespace rondo::tool {
namespace {

CLI::Validator number_of_streams() {
    return CLI::Validator(
        [](std::string& text) {
            try {
                wanted_streams(text);
            } catch (const ModelError& error) {
                return std::string(error.what());
            }
            return std::string();
        },
        "");
}

CLI::Validator number_between(double least, double most) {
    return CLI::Validator(
        [least, most](std::string& text) {
            char* end = nullptr;
            const double value = std::strtod(text.c_str(), &end);
            if (!text.empty() && *end == '\0' && value >= least && value <= most) {
                return std::string();
            }
            char range[64];
            std::snprintf(range, sizeof range, "%.10g to %.10g", least, most);
            return "'" + text + "' is not a number from " + range;
        },
        "");
}

// benchmark_app's short names of hints.
CLI::Validator hint_names() {
    return CLI::Validator(
        [](std::string& text) {
            if (text == "tput") text = "throughput";
            if (text == "ctput") text = "cumulative_throughput";
            return std::string();
        },
        "");
}

void add_what(CLI::App& command, BenchmarkOptions& o) {
    add_model(command, "-m,--model,--path_to_model", o.model);
    command.add_flag("--lfile,--load_from_file", o.from_file,
                     "Compile the file without reading it first");
    command.add_option("-d,--device,--target_device", o.device, "The device")
        ->capture_default_str();
    command.add_option("-p,--property", o.properties.pairs, "A property of the device: NAME=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command.add_option("--cdir,--cache_dir", o.properties.cache_dir,
                       "Folder that keeps compiled models");
    add_keep_inputs(command, o.properties.keep_inputs);
    command
        .add_option("--plugin", o.properties.plugins, "A device from a shared library: NAME=FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command.add_option("--load_config", o.load_config,
                       "Properties from a JSON file: {\"CPU\": {\"NUM_STREAMS\": \"2\"}}");
    command.add_option("--dump_config", o.dump_config, "Write the properties to a JSON file");
    command.add_option("--infer_precision", o.precision, "Precision to compute in: f32 or bf16");
}

void add_how(CLI::App& command, BenchmarkOptions& o) {
    add_choice(command, "--hint,--perf_hint", o.hint,
               "What to tune for, also tput and ctput; default: throughput, latency with --api "
               "sync",
               {"latency", "throughput", "cumulative_throughput", "none"})
        ->transform(hint_names());
    add_choice(command, "--api,--api_type", o.api, "Default: sync with --hint latency, else async",
               {"sync", "async"});
    command
        .add_option("--niter,--number_iterations", o.iterations,
                    "Number of inferences; default: by time. 0 only compiles")
        ->check(whole_number(0, 1000000000));
    command.add_option("-t,--time", o.seconds, "Seconds to measure; default 60 without --niter")
        ->check(number_between(0.001, 1e6));
    command
        .add_option("--max_irate,--maximum_inference_rate", o.most_rate,
                    "Start at most so many inferences a second")
        ->check(at_least_zero());
    command
        .add_option("--nireq,--number_infer_requests", o.requests,
                    "Requests in flight; default: the device's choice")
        ->check(whole_number(1, 4096));
    command.add_option("--nstreams,--number_streams", o.streams,
                       "Requests run at once; with --hint none or no --hint");
    command
        .add_option("--nthreads,--number_threads", o.threads,
                    "Threads of all requests together; with --hint none or no --hint")
        ->check(whole_number(1, 1024));
    add_choice(command, "--pin,--infer_threads_pinning", o.pinning, "YES: a core a thread",
               {"YES", "NO"});
    command.add_flag("--no_warmup", o.no_warmup, "Measure the first inference, too");
}

void add_inputs(CLI::App& command, BenchmarkOptions& o) {
    command
        .add_option(
            "-b,--batch,--batch_size", o.batch,
            "Batch: sets axis N of --layout, else the only open axis, else axis 0 of extent 1")
        ->check(whole_number(1, 1000000));
    command.add_flag("--batch_axis", o.batch_axis,
                     "Put an open batch axis in front of all shapes first");
    command.add_option("--layout", o.layout, "Axes of the inputs, such as x[TNC],h[DNC]");
    command.add_option("--shape", o.shape, "Reshape inputs first: x[1,?,80],h[1,1..8]");
    command.add_option("--data_shape", o.data_shape,
                       "Shapes to feed; several rotate: x[1,9,80][1,5,80]");
    command.add_option("-i,--input,--paths_to_input", o.inputs,
                       "name=file or name:file, as for run; others get valid random values");
    add_switch(command, "--inference_only", o.inference_only,
               "false: the time includes filling the inputs")
        ->default_str("true");
    command.add_option("--seed", o.seed, "Seed of the random inputs")
        ->check(whole_number(0, 4294967295))
        ->capture_default_str();
}

void add_reports(CLI::App& command, BenchmarkOptions& o) {
    add_switch(command, "--pc,--perf_counts", o.counters, "Print time and kernel of each node");
    add_choice(command, "--pcsort,--perf_counts_sort", o.counter_order,
               "--pc: sort has the slowest first, simple_sort those that ran",
               {"sort", "no_sort", "simple_sort"});
    add_switch(command, "--pcseq", o.by_shape, "Print the latency of each data shape");
    command.add_option("--latency_percentile", o.percentile, "Percentile of the latency to print")
        ->check(whole_number(1, 100))
        ->capture_default_str();
    add_choice(command, "--report_type", o.report_type, "Write a report, with times of nodes",
               {"no_counters", "average_counters", "detailed_counters"});
    command.add_option("--report_folder", o.report_folder, "Where reports go")
        ->capture_default_str();
    add_switch(command, "--json_stats", o.json_stats, "Write the reports as JSON");
    command.add_option("--html", o.html,
                       "Write a page with times, layers and graph: an .html file");
    command.add_option("--trace", o.trace,
                       "Write what each thread did in the last inference, for Perfetto: a .json "
                       "file");
    command.add_option("--exec_graph_path", o.exec_graph,
                       "Write the graph that runs, after the device's passes: an .xml file");
}

void add_live_streams(CLI::App& command, LiveStreamOptions& o) {
    // Not an option group, which CLI11 takes for the subcommand "": an empty argument never ends.
    command.option_defaults()->group("Live streams");
    command
        .add_option("--streams", o.streams,
                    "Simulate so many live streams; max: the most in time (--latency_bound)")
        ->check(number_of_streams());
    command.add_option("--rate", o.rate, "Chunks of a live stream in a second")
        ->check(number_between(0.001, 1e6))
        ->capture_default_str();
    command.add_option("--chunk", o.chunk, "Extent of a live stream's open axes besides the batch")
        ->check(whole_number(1, 1000000000));
    command.add_option("--max_batch", o.max_batch, "Live streams of one inference")
        ->check(whole_number(1, 65536))
        ->capture_default_str();
    command.add_option("--max_delay", o.max_delay_us, "Microseconds that a step waits for others")
        ->check(whole_number(0, 1000000000))
        ->capture_default_str();
    command.add_option("--latency_bound", o.bound_ms, "Milliseconds, of the p99 of live streams")
        ->check(number_between(0.001, 1e6))
        ->capture_default_str();
    command.add_option("--plot", o.plot, "Draw the latencies of live streams to an .svg file");
}

}  // namespace

CLI::App* add_benchmark(CLI::App& app, BenchmarkOptions& o) {
    auto* c = app.add_subcommand("benchmark", "Measure a model, with benchmark_app's flags");
    c->footer(
        "One dash or two make no difference: -niter 10, --niter=10.\n"
        "Ctrl-C ends the measurement and reports what was measured.\n"
        "Example: rondo benchmark -m model.xml --data_shape \"x[1,100,80]\" --hint latency -t 5");
    add_what(*c, o);
    add_how(*c, o);
    add_inputs(*c, o);
    add_reports(*c, o);
    add_live_streams(*c, o.live);
    return c;
}

}  // namespace rondo::tool
