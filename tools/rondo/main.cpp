// The rondo command: parses arguments, calls a subcommand, turns errors into exit codes.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>
#include <utility>

#include "arguments.hpp"
#include "options/option_checks.hpp"
#include "options/usage_errors.hpp"
#include "rondo/error.hpp"
#include "streams/streams_benchmark.hpp"
#include "version.hpp"

namespace {

using namespace rondo::tool;
using rondo::ModelError;

constexpr int kUserError = 1;
constexpr int kInternalError = 2;

void add_properties(CLI::App& command, PropertyOptions& o,
                    const std::string& cache_names = "--cdir") {
    command.add_option("-p,--property", o.pairs, "A property of the device: NAME=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command.add_option(cache_names, o.cache_dir, "Folder that keeps compiled models");
    add_keep_inputs(command, o.keep_inputs);
    command.add_option("--plugin", o.plugins, "A device from a shared library: NAME=FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_written(CLI::App& command, std::string& output) {
    command
        .add_option("-o,--output", output,
                    "Where to write: .xml, with its .bin beside it, or .onnx")
        ->required();
}

void add_seed(CLI::App& command, unsigned& seed) {
    command.add_option("--seed", seed, "Seed of the random inputs")
        ->check(whole_number(0, std::numeric_limits<unsigned>::max()))
        ->capture_default_str();
}

void add_compile(CLI::App& app, CompileOptions& o) {
    auto* c = app.add_subcommand("compile", "Simplify a model; write it as IR (XML + BIN) or ONNX");
    c->footer("Example: rondo compile model.onnx -o model.xml --weights f16");
    add_model(*c, "-m,--model", o.model);
    add_written(*c, o.output);
    add_choice(*c, "--for", o.target,
               "ir or onnx, where the output's name doesn't say it; openvino: an IR in which "
               "what Rondo alone has is written as ops that OpenVINO runs",
               {"ir", "onnx", "openvino"});
    c->add_option("--batch", o.batch,
                  "Set the batch: a number, or ? for any; rows stay independent");
    c->add_option("--batch-axis", o.batch_axis,
                  "Put a batch axis in front of all shapes: a number of rows, or ? for any");
    add_keep_inputs(*c, o.keep_inputs);
    add_choice(*c, "--weights", o.weights,
               "f16 and bf16 store f32 weights in half the space; f32 keeps them",
               {"f32", "f16", "bf16"})
        ->capture_default_str();
    c->add_flag("--external-data", o.external_data,
                "ONNX: larger constants go to a file beside it, .onnx.data");
    c->add_option("--stateful", o.stateful,
                  "States become variables: INPUT:OUTPUT,... or auto, which finds the pairs, or "
                  "layers that start from zeros");
    c->add_option("--streaming", o.streaming,
                  "Take sequences in chunks of any length: auto, or the inputs' time axes as "
                  "input:axis,...");
    c->add_flag("--print-passes", o.print_passes, "A line a pass: changed or not, time, ops");
    c->add_option("--dump-after", o.dump_after, "Print the graph after this pass");
    c->add_option("--stop-after", o.stop_after, "Run no pass after this one");
    c->add_flag("--validate-passes", o.validate_passes, "Check the whole graph after each pass");
}

void add_run(CLI::App& app, RunOptions& o) {
    auto* c = app.add_subcommand("run", "Run a model on inputs from files");
    c->footer(
        "Numbers of another type than the input's are converted: any to floating types, and a\n"
        "line says which were rounded; whole ones to integers that hold them. Others are refused.\n"
        "An input that is a scalar takes one element of any rank.\n"
        "Example: rondo run -m model.xml -i x=x.npy -i h=h.npy -o out");
    add_model(*c, "-m,--model", o.model);
    c->add_option("-d,--device", o.device, "CPU, REFERENCE or that of a --plugin")
        ->capture_default_str();
    add_properties(*c, o.properties);
    c->add_option("-i,--input", o.inputs, "name=file, .npy or .bin, once an input; or one .npz");
    c->add_option("-o,--output", o.output_dir, "Folder for <output name>.npy")->required();
}

void add_compare(CLI::App& app, CompareOptions& o) {
    auto* c = app.add_subcommand("compare", "Compare a device with another, output by output");
    c->footer(
        "Exit code 1 past the tolerance, also of a node with --layers.\n"
        "Example: rondo compare -m model.onnx -d CPU --ref REFERENCE --data_shape \"x[4,9,8]\"");
    add_model(*c, "-m,--model", o.model);
    c->add_option("-d,--device", o.device, "The device under test")->capture_default_str();
    add_properties(*c, o.properties);
    c->add_option("--ref", o.reference_device, "The device to trust")->capture_default_str();
    c->add_option("--ref_model", o.reference_model, "Another model to trust, instead of the same");
    c->add_option("-i,--input", o.inputs, "name=file, as for run; others get seeded random values");
    c->add_option("--data_shape", o.data_shape, "Shapes of inputs whose extents are open");
    c->add_option("--atol", o.atol, "Absolute tolerance")
        ->check(number_from(0))
        ->capture_default_str();
    c->add_option("--rtol", o.rtol, "Relative tolerance")
        ->check(number_from(0))
        ->capture_default_str();
    add_seed(*c, o.seed);
    c->add_flag("--layers", o.layers,
                "Compare nodes of the same name, too: the first that differs");
    c->add_flag("--json", o.json, "Print JSON");
}

void add_info(CLI::App& app, InfoOptions& o) {
    auto* c = app.add_subcommand("info", "Show a model: inputs, outputs, layers, weights");
    c->footer("Example: rondo info model.onnx --explain --graph model.svg");
    add_models(*c, "-m,--model", o.models);
    auto* coverage =
        c->add_flag("--coverage", o.coverage, "Whether each model runs, and if not, what it lacks");
    auto* shape = c->add_option("--data_shape", o.data_shape,
                                "Give inputs these shapes first: x[1,100,80],h[1,?,8]");
    auto* graph = c->add_option("--graph", o.graph,
                                "Draw the graph: a .dot file, or by Graphviz .svg, .html");
    auto* explain = c->add_flag("--explain", o.explain, "Which kernel each node gets, and why");
    auto* rows = c->add_flag("--rows", o.rows,
                             "Whether the rows of a batch are independent, and where they lie");
    auto* why =
        c->add_option("--why", o.why, "Which passes made this node; what kept it from fusing");
    c->add_option("-d,--device", o.device, "The device for --explain, --why and --coverage")
        ->capture_default_str();
    add_properties(*c, o.properties);
    auto* text = c->add_flag("--text", o.text, "The whole graph, a line a node");
    c->add_flag("--json", o.json, "Print JSON")->excludes(why)->excludes(text);
    // What would be left out without a word.
    for (auto* other : {shape, graph, explain, rows, why, text}) coverage->excludes(other);
    for (auto* other : {graph, explain, why, text}) rows->excludes(other);
    for (auto* other : {graph, explain, text}) why->excludes(other);
}

void add_quantize(CLI::App& app, QuantizeOptions& o) {
    auto* c = app.add_subcommand("quantize", "Store the weights of recurrent layers as integers");
    c->footer(
        "No calibration is needed. Prints what each layer loses and gains, and how far the "
        "outputs\n"
        "are from those of f32, on inputs of --data or random ones.\n"
        "Example: rondo quantize model.onnx -o model_int8.xml --data speech.npz");
    add_model(*c, "-m,--model", o.model);
    add_written(*c, o.output);
    add_choice(*c, "--format", o.format,
               "w8r16: weights of 8 bits, rows of X and H of 16; w8r8: rows of 8 bits too; w16r16: "
               "16 bits for both",
               {"w8r16", "w8r8", "w16r16"})
        ->capture_default_str();
    c->add_option("--keep", o.keep, "Layers that stay f32, by name")->take_all();
    c->add_option("--least-db", o.least_decibels,
                  "Layers whose weights would keep less signal to noise, in decibels, stay f32")
        ->capture_default_str();
    c->add_option("--least-weights", o.least_weights,
                  "Layers with fewer weights a direction stay f32; 0: about as many as it takes to "
                  "run faster than in f32")
        ->capture_default_str();
    c->add_flag("!--no-measure", o.measures, "Run nothing: only write the model");
    c->add_option("-i,--input,--data", o.inputs,
                  "Inputs to measure with: .npz, or name=file once an input");
    c->add_option("--data_shape", o.data_shape, "Shapes of inputs whose extents are open");
    add_seed(*c, o.seed);
    add_properties(*c, o.properties);
    c->add_flag("--json", o.json, "Print JSON");
}

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
    add_properties(command, o.properties, "--cdir,--cache_dir");
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
        ->check(number_from(0.001, 1e6));
    command
        .add_option("--max_irate,--maximum_inference_rate", o.most_rate,
                    "Start at most so many inferences a second")
        ->check(number_from(0));
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
    add_seed(command, o.seed);
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
        ->check(number_from(0.001, 1e6))
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
        ->check(number_from(0.001, 1e6))
        ->capture_default_str();
    command.add_option("--plot", o.plot, "Draw the latencies of live streams to an .svg file");
}

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

constexpr std::size_t kNames = 34;  // columns of --help
constexpr std::size_t kWidth = 100;

// How --help looks: names in one column, descriptions in another, wrapped at 100 columns, and one
// blank line between sections.
class HelpFormat : public CLI::Formatter {
public:
    HelpFormat() { column_width(kNames); }

    // CLI11 indents what follows a line's end.
    std::string make_option_desc(const CLI::Option* option) const override {
        std::istringstream words(option->get_description());
        std::string text;
        std::size_t width = 0;
        for (std::string word; words >> word;) {
            const bool fits = width + 1 + word.size() <= kWidth - kNames;
            if (!text.empty()) text += fits ? ' ' : '\n';
            width = fits && !text.empty() ? width + 1 + word.size() : word.size();
            text += word;
        }
        return text;
    }

    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override {
        const std::string help = CLI::Formatter::make_help(app, std::move(name), mode);
        return CLI::detail::find_and_replace(help, "\n\n\n", "\n\n");
    }
};

struct AllOptions {
    QuantizeOptions quantize;
    CompileOptions compile;
    RunOptions run;
    CompareOptions compare;
    InfoOptions info;
    BenchmarkOptions benchmark;
};

int dispatch(const CLI::App& app, const AllOptions& options) {
    if (app.got_subcommand("compile")) return compile(options.compile);
    if (app.got_subcommand("run")) return run(options.run);
    if (app.got_subcommand("compare")) return compare(options.compare);
    if (app.got_subcommand("info")) return info(options.info);
    if (app.got_subcommand("quantize")) return quantize(options.quantize);
    return benchmark(options.benchmark);
}

// What was typed, in benchmark_app's way: {"-niter", "10"}.
std::vector<std::pair<std::string, std::string>> typed_options(const CLI::App& command) {
    std::vector<std::pair<std::string, std::string>> typed;
    for (const CLI::Option* option : command.get_options()) {
        if (option->count() == 0) continue;
        std::string value;
        for (const auto& part : option->results()) value += (value.empty() ? "" : " ") + part;
        const bool has_short = !option->get_snames().empty();
        const bool has_long = !option->get_lnames().empty();
        const std::string name = has_short  ? option->get_snames()[0]
                                 : has_long ? option->get_lnames()[0]
                                            : "m";  // the model alone
        typed.emplace_back("-" + name, value);
    }
    return typed;
}

int parse_and_dispatch(int argc, char** argv) {
    AllOptions options;
    CLI::App app("Rondo: compile and run recurrent networks on CPUs", "rondo");
    app.set_version_flag("-v,--version", [] { return version_text(); });
    app.require_subcommand(1);
    app.footer(
        "rondo COMMAND --help or rondo help COMMAND lists a command's options, in whose names - "
        "and\n"
        "_ are the same, as are one dash and two.\n"
        "Example: rondo benchmark -m model.onnx --data_shape \"x[1,100,80]\" -t 5");
    app.formatter(std::make_shared<HelpFormat>());
    add_compile(app, options.compile);
    add_run(app, options.run);
    const CLI::App* benchmark = add_benchmark(app, options.benchmark);
    add_compare(app, options.compare);
    add_info(app, options.info);
    add_quantize(app, options.quantize);
    const auto typed = without_help_word(app, {argv + 1, argv + argc});
    auto arguments = parsed_arguments(app, typed);
    std::reverse(arguments.begin(), arguments.end());  // CLI11 reads its vector from the back
    try {
        app.parse(arguments);
    } catch (const CLI::Success& asked) {  // --help, --version
        return app.exit(asked);
    } catch (const CLI::ParseError& error) {
        throw ModelError(usage_error(app, error, typed));
    }
    options.benchmark.typed = typed_options(*benchmark);
    options.benchmark.command_line = typed;
    return dispatch(app, options);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const int code = parse_and_dispatch(argc, argv);
        std::cout.flush();
        if (std::cout.good() && std::fflush(stdout) == 0) return code;
        throw ModelError("can't write to the standard output");
    } catch (const rondo::InternalError& error) {
        std::fprintf(stderr, "rondo: internal error: %s\n", error.what());
        return kInternalError;
    } catch (const rondo::Error& error) {
        std::fprintf(stderr, "rondo: %s\n", error.what());
        return kUserError;
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "rondo: out of memory\n");
        return kUserError;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "rondo: internal error: %s\n", error.what());
        return kInternalError;
    }
}
