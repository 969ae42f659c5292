// `rondo benchmark`: measures a model as OpenVINO's benchmark_app does.
#include <algorithm>
#include <chrono>
#include <iostream>

#include "arguments.hpp"
#include "benchmark_loop.hpp"
#include "benchmark_report.hpp"
#include "files.hpp"
#include "inputs.hpp"
#include "property_arguments.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "shape_arguments.hpp"
#include "streams/streams_benchmark.hpp"

namespace rondo::tool {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kDefaultSeconds = 60;  // as benchmark_app has it
constexpr std::size_t kChunks = 16;     // random ones, which live streams take in turn

// The eleven steps of benchmark_app, under its names.
void step(int number, const std::string& note = "") {
    static const char* const kNames[] = {"Parsing and validating input arguments",
                                         "Loading Rondo Runtime",
                                         "Setting device configuration",
                                         "Reading model files",
                                         "Resizing model to match image sizes and given batch",
                                         "Configuring input of the model",
                                         "Loading the model to the device",
                                         "Querying optimal runtime parameters",
                                         "Creating infer requests and preparing input tensors",
                                         "Measuring performance",
                                         "Dumping statistics report"};
    std::cout << "[Step " << number << "/11] " << kNames[number - 1];
    if (!note.empty()) std::cout << " (" << note << ")";
    std::cout << std::endl;
}

void say(const std::string& text) { std::cout << "[ INFO ] " << text << std::endl; }

double elapsed_ms(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void check(const BenchmarkOptions& options) {
    const bool tuned = options.threads > 0 || !options.streams.empty();
    if (tuned && !options.hint.empty() && options.hint != "none") {
        throw ModelError("-nstreams and -nthreads need -hint none: a hint chooses them itself");
    }
    if (options.api == "sync" && options.requests > 1) {
        throw ModelError("-api sync runs one request at a time; leave -nireq out");
    }
    if (options.json_stats || !options.report_type.empty()) make_folder(options.report_folder);
}

Properties device_properties(const Core& core, const BenchmarkOptions& options) {
    Properties properties;
    const bool tuned = options.threads > 0 || !options.streams.empty();
    const std::string hint = !options.hint.empty() ? options.hint
                                                   : (tuned                   ? "none"
                                                      : options.api == "sync" ? "latency"
                                                                              : "throughput");
    // A device without hints (REFERENCE) gets none, unless one was asked for.
    const std::string known = core.get_property(options.device, property::kSupportedProperties);
    const bool has_hints = known.find(property::kPerformanceHint) != std::string::npos;
    if (hint != "none" && (has_hints || !options.hint.empty())) {
        std::string upper = hint;
        std::transform(upper.begin(), upper.end(), upper.begin(),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        properties[property::kPerformanceHint] = upper;
    }
    if (options.threads > 0) {
        properties[property::kInferenceNumThreads] = std::to_string(options.threads);
    }
    if (!options.streams.empty()) properties[property::kNumStreams] = options.streams;
    if (!options.precision.empty()) {
        properties[property::kInferencePrecisionHint] = options.precision;
    }
    const bool wants_counters =
        options.counters || (!options.report_type.empty() && options.report_type != "no_counters");
    if (wants_counters) properties[property::kPerfCount] = "YES";
    Properties given = parse_properties(options.properties);
    given.merge(properties);  // options given by name have precedence
    return given;
}

void reshape(Model& model, const BenchmarkOptions& options) {
    const auto layouts = parse_layouts(options.layout, model.inputs());
    auto shapes = parse_shapes(options.shape, model.inputs());
    if (!shapes.empty()) model.reshape(shapes);
    if (options.batch > 0) model.reshape(with_batch(model.inputs(), layouts, options.batch));
}

void describe_ports(const Model& model) {
    for (const auto& port : model.inputs()) {
        say("Model input '" + port.any_name() + "' " + std::string(to_string(port.element_type)) +
            to_string(port.shape));
    }
    for (const auto& port : model.outputs()) {
        say("Model output '" + port.any_name() + "' " + std::string(to_string(port.element_type)) +
            to_string(port.shape));
    }
}

// Known shapes show which values fit an integer input. But a branch that never runs with them may
// refuse them.
Model fixed_model(const Model& model, const std::map<std::string, Shape>& shapes) {
    try {
        return with_shapes(model, shapes);
    } catch (const ModelError&) {
        return model;
    }
}

// The inputs that have no data shape.
std::vector<PortInfo> unshaped(const Model& model,
                               const std::map<std::string, std::vector<Shape>>& data_shapes) {
    std::vector<PortInfo> ports;
    for (const auto& port : model.inputs()) {
        if (data_shapes.count(port.any_name()) == 0) ports.push_back(port);
    }
    return ports;
}

// One set of inputs a data shape; sets beyond an input's own list start again at its first.
std::vector<InputSet> make_inputs(const Model& model, const BenchmarkOptions& options) {
    const auto files = read_inputs(options.inputs, model);
    const auto data_shapes = parse_data_shapes(options.data_shape, model.inputs());
    const auto chunks = options.live.streams.empty()
                            ? std::map<std::string, Shape>()
                            : chunk_shapes(unshaped(model, data_shapes), options.live.chunk);
    std::size_t count = options.live.streams.empty() ? 1 : kChunks;
    for (const auto& [name, list] : data_shapes) count = std::max(count, list.size());
    std::mt19937 random(options.seed);
    std::vector<InputSet> sets(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::map<std::string, Shape> shapes = chunks;
        for (const auto& [name, list] : data_shapes) shapes[name] = list[i % list.size()];
        for (const auto& [name, tensor] : files) shapes[name] = tensor.shape();
        shapes = complete_shapes(model, shapes);
        const Model fixed = fixed_model(model, shapes);
        sets[i] = files;
        for (const auto& port : model.inputs()) {
            const std::string& name = port.any_name();
            if (files.count(name) > 0) continue;
            sets[i][name] = make_input(fixed, fixed.input(name), shapes.at(name), random);
        }
    }
    return sets;
}

std::size_t request_count(const BenchmarkOptions& options, const CompiledModel& compiled) {
    if (options.api == "sync") return 1;
    if (options.requests > 0) return options.requests;
    const std::string best = compiled.get_property(property::kOptimalNumberOfInferRequests);
    return std::max<std::size_t>(std::stoul(best), 1);
}

LoopLimits limits_of(const BenchmarkOptions& options) {
    LoopLimits limits;
    limits.iterations = options.iterations;
    limits.async = options.api != "sync";
    if (options.seconds) {
        limits.seconds = *options.seconds;
    } else if (options.iterations == 0) {
        limits.seconds = kDefaultSeconds;
    }
    return limits;
}

std::string limits_text(const LoopLimits& limits, std::size_t requests) {
    std::string text = limits.async ? "Start inference asynchronously, " +
                                          std::to_string(requests) + " inference requests"
                                    : "Start inference synchronously";
    text += ", limits:";
    if (limits.seconds > 0) {
        text += " " + std::to_string(static_cast<long>(limits.seconds * 1e3)) + " ms duration";
    }
    if (limits.iterations > 0) {
        // The last round is completed: every request runs equally often.
        const std::size_t rounds = (limits.iterations + requests - 1) / requests;
        text += " " + std::to_string(rounds * requests) + " iterations";
    }
    return text;
}

void settle_profile(BenchmarkResult& result, LoopResult& loop) {
    result.profiling = std::move(loop.profiling);
    for (auto& row : result.profiling) {
        row.real_time_ns /= static_cast<long>(std::max<std::size_t>(loop.profiled, 1));
        row.real_time = std::chrono::duration_cast<std::chrono::microseconds>(row.real_time_ns);
    }
}

CompiledModel load(Core& core, const BenchmarkOptions& options, BenchmarkResult& result,
                   std::vector<InputSet>& sets) {
    step(3);
    const Properties properties = device_properties(core, options);
    for (const auto& [name, value] : properties) result.settings.emplace_back(name, value);
    step(4);
    auto start = Clock::now();
    Model model = core.read_model(options.model);
    result.read_ms = elapsed_ms(start);
    say("Read model took " + duration_text(result.read_ms));
    step(5);
    reshape(model, options);
    step(6);
    describe_ports(model);
    sets = make_inputs(model, options);
    step(7);
    start = Clock::now();
    CompiledModel compiled = core.compile_model(model, options.device, properties);
    result.compile_ms = elapsed_ms(start);
    say("Compile model took " + duration_text(result.compile_ms));
    if (compiled.get_property(property::kLoadedFromCache) == "YES") {
        say("The model was loaded from the cache");
    }
    return compiled;
}

}  // namespace

int benchmark(const BenchmarkOptions& options) {
    step(1);
    check(options);
    step(2);
    Core core;
    say("Rondo " + get_version().build_number + ", device " + options.device);
    BenchmarkResult result;
    result.settings = {{"model", options.model}, {"device", options.device}, {"api", options.api}};
    if (options.batch > 0) result.batch = options.batch;
    std::vector<InputSet> sets;
    CompiledModel compiled = load(core, options, result, sets);
    step(8);
    result.execution_devices = compiled.get_property(property::kExecutionDevices);
    if (!options.live.streams.empty()) {
        step(9);
        step(10, "live streams");
        benchmark_streams(compiled, sets, options);
        return 0;
    }
    const std::size_t requests = request_count(options, compiled);
    step(9);
    std::vector<InferRequest> running;
    for (std::size_t i = 0; i < requests; ++i) running.push_back(compiled.create_infer_request());
    const LoopLimits limits = limits_of(options);
    step(10, limits_text(limits, requests));
    result.first_ms = first_inference(running[0], sets[0]);
    say("First inference took " + duration_text(result.first_ms));
    const bool profile = compiled.get_property(property::kPerfCount) == "YES";
    LoopResult loop = measure(running, sets, limits, profile);
    result.latency = summarize(std::move(loop.latencies_ms), options.percentile);
    result.duration_ms = loop.duration_ms;
    settle_profile(result, loop);
    step(11);
    if (options.counters) print_counters(result.profiling);
    print_summary(result, options);
    write_reports(result, options);
    return 0;
}

}  // namespace rondo::tool
