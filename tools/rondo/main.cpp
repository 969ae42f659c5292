// The rondo command: parses arguments, calls a subcommand, turns errors into exit codes.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <limits>
#include <memory>

#include "arguments.hpp"
#include "benchmark/benchmark_arguments.hpp"
#include "options/help_format.hpp"
#include "options/option_checks.hpp"
#include "options/option_names.hpp"
#include "options/usage_errors.hpp"
#include "rondo/error.hpp"
#include "version.hpp"

namespace {

using namespace rondo::tool;
using rondo::ModelError;

constexpr int kUserError = 1;
constexpr int kInternalError = 2;

void add_properties(CLI::App& command, PropertyOptions& o) {
    command.add_option("-p,--property", o.pairs, "A property of the device: NAME=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command.add_option("--cdir", o.cache_dir, "Folder that keeps compiled models");
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
        ->check(at_least_zero())
        ->capture_default_str();
    c->add_option("--rtol", o.rtol, "Relative tolerance")
        ->check(at_least_zero())
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
