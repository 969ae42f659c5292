// `rondo benchmark`: measures a model as OpenVINO's benchmark_app does.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>
#include <thread>

#include "arguments.hpp"
#include "benchmark/benchmark_loop.hpp"
#include "benchmark/benchmark_report.hpp"
#include "benchmark/counters.hpp"
#include "benchmark/device_config.hpp"
#include "benchmark/html_report.hpp"
#include "benchmark/loop_watch.hpp"
#include "files.hpp"
#include "inputs/inputs.hpp"
#include "inputs/shape_arguments.hpp"
#include "property_arguments.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "streams/streams_benchmark.hpp"
#include "texts.hpp"

namespace rondo::tool {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kDefaultSeconds = 60;  // as benchmark_app has it

// The eleven steps of benchmark_app, under its names.
void step(int number, const std::string& note = "") {
    static const char* const kNames[] = {"Parsing and validating input arguments",
                                         "Loading Rondo Runtime",
                                         "Setting device configuration",
                                         "Reading model files",
                                         "Reshaping the model to the given shapes and batch",
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
    if (api_of(options) == "sync" && options.requests > 1) {
        throw ModelError("--api sync runs one request at a time; leave --nireq out");
    }
    const bool changes = options.batch > 0 || options.batch_axis || !options.shape.empty();
    if (options.from_file && changes) {
        throw ModelError(
            "--lfile compiles the file as it is; leave --shape, -b and --batch_axis out");
    }
    check_outputs(options);
}

constexpr std::size_t kChunks = 16;  // random ones, which live streams take in turn

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

// Sets the shapes of -shape and the batch of -b.
void reshape(Model& model, const BenchmarkOptions& options) {
    const auto layouts = parse_layouts(options.layout, model.inputs(), model.constant_inputs());
    auto shapes = parse_shapes(options.shape, model.inputs(), model.constant_inputs());
    if (!shapes.empty()) model.reshape(shapes);
    if (options.batch > 0) model.reshape(with_batch(model.inputs(), layouts, options.batch));
}

// One set a data shape; sets beyond an input's own list start again at its first.
std::vector<InputSet> make_inputs(const Model& model, const BenchmarkOptions& options) {
    const auto files = read_inputs(options.inputs, model);
    const auto data_shapes =
        parse_data_shapes(options.data_shape, model.inputs(), model.constant_inputs());
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

// The shapes of a set: "x[1,8,8], h[1,1,4]".
std::string shapes_text(const InputSet& inputs) {
    std::string text;
    for (const auto& [name, tensor] : inputs) {
        text += (text.empty() ? "" : ", ") + name + to_string(tensor.shape());
    }
    return text;
}

void describe_ports(const Model& model) {
    for (const auto& port : model.inputs()) {
        say("Model input '" + port.any_name() + "' " + typed_shape(port));
    }
    for (const auto& port : model.outputs()) {
        say("Model output '" + port.any_name() + "' " + typed_shape(port));
    }
}

std::size_t request_count(const BenchmarkOptions& options, const CompiledModel& compiled) {
    if (api_of(options) == "sync") return 1;
    if (options.requests > 0) return options.requests;
    const std::string best = compiled.get_property(property::kOptimalNumberOfInferRequests);
    return std::max<std::size_t>(std::stoul(best), 1);
}

LoopLimits limits_of(const BenchmarkOptions& options) {
    LoopLimits limits;
    limits.iterations = options.iterations.value_or(0);
    limits.async = api_of(options) == "async";
    limits.most_rate = options.most_rate;
    limits.fills_inputs = !options.inference_only;
    if (options.seconds) {
        limits.seconds = *options.seconds;
    } else if (!options.iterations) {
        limits.seconds = kDefaultSeconds;
    }
    return limits;
}

std::string limits_text(const LoopLimits& limits, std::size_t requests) {
    std::string text = limits.async ? "Start inference asynchronously, " +
                                          std::to_string(requests) + " inference requests"
                                    : "Start inference synchronously";
    const char* join = ", limits: ";
    const auto add = [&](const std::string& limit) {
        text += join + limit;
        join = ", ";
    };
    if (limits.seconds > 0) {
        add(std::to_string(static_cast<long>(limits.seconds * 1e3)) + " ms duration");
    }
    if (limits.iterations > 0) {
        // The last round is completed: every request runs equally often.
        const std::size_t rounds = (limits.iterations + requests - 1) / requests;
        add(std::to_string(rounds * requests) + " iterations");
    }
    if (limits.most_rate > 0) {
        add(formatted("%g inferences a second", limits.most_rate));
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

CompiledModel compile(Core& core, const BenchmarkOptions& options, const Model& model,
                      const Properties& properties) {
    if (options.from_file) return core.compile_model(options.model, options.device, properties);
    return core.compile_model(model, options.device, properties);
}

CompiledModel load(Core& core, const BenchmarkOptions& options, BenchmarkResult& result,
                   std::vector<InputSet>& sets) {
    step(3);
    const auto [properties, default_hint] = device_config(core, options);
    if (!default_hint.empty()) {
        say("-hint wasn't given; " + options.device + " gets the hint " + default_hint);
    }
    for (const auto& [name, value] : properties) result.settings.emplace_back(name, value);
    if (!options.dump_config.empty()) {
        dump_config(options.dump_config, options.device, properties);
        say("Properties written to " + options.dump_config);
    }
    step(4);
    auto start = Clock::now();
    Model model = core.read_model(options.model);
    result.topology = model.name();
    result.read_ms = elapsed_ms(start);
    say("Read model took " + duration_text(result.read_ms));
    step(5);
    if (options.batch_axis) model.add_batch_axis();
    reshape(model, options);
    step(6);
    describe_ports(model);
    if (options.iterations != 0U) sets = make_inputs(model, options);
    step(7);
    start = Clock::now();
    CompiledModel compiled = compile(core, options, model, properties);
    result.compile_ms = elapsed_ms(start);
    say("Compile model took " + duration_text(result.compile_ms));
    if (compiled.get_property(property::kLoadedFromCache) == "YES") {
        say("The model was loaded from the cache");
    }
    return compiled;
}

void describe_properties(const NamedTexts& properties, const std::string& device) {
    say("Properties of " + device + ":");
    for (const auto& [name, value] : properties) say("  " + name + ": " + value);
}

long peak_bytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * 1024;
}

// Returns the program's exit code.
int measure_requests(CompiledModel& compiled, const std::vector<InputSet>& sets,
                     const BenchmarkOptions& options, BenchmarkResult& result) {
    std::vector<InferRequest> running;
    for (std::size_t i = 0; i < result.requests; ++i) {
        running.push_back(compiled.create_infer_request());
    }
    LoopLimits limits = limits_of(options);
    step(10, limits_text(limits, result.requests));
    if (!options.no_warmup) {
        result.first_ms = first_inference(running[0], sets[0]);
        say("First inference took " + duration_text(result.first_ms));
    }
    LoopWatch watch(limits.seconds, limits.iterations);
    limits.goes_on = [&watch](std::size_t started) { return watch.goes_on(started); };
    const bool profile = compiled.get_property(property::kPerfCount) == "YES";
    LoopResult loop = measure(running, sets, limits, profile);
    result.is_interrupted = watch.is_interrupted();
    settle_profile(result, loop);
    result.samples = std::move(loop.samples);
    result.latency = summarize(latencies_of(result.samples), options.percentile);
    result.duration_ms = loop.duration_ms;
    result.peak_bytes = peak_bytes();
    for (const InputSet& set : sets) result.shapes.push_back(shapes_text(set));
    if (!options.trace.empty()) result.trace = running[0].get_trace();
    return watch.exit_code();
}

// The nodes that ran, with the extents of the only set of inputs if there is one.
std::vector<NodeInfo> nodes_that_ran(const CompiledModel& compiled,
                                     const std::vector<InputSet>& sets) {
    const Model model = compiled.runtime_model();
    if (sets.size() != 1) return model.nodes();
    std::map<std::string, Shape> shapes;
    for (const auto& [name, tensor] : sets[0]) shapes[name] = tensor.shape();
    try {
        return with_shapes(model, shapes).nodes();
    } catch (const Error&) {  // nodes that the device has made need not follow another shape
        return model.nodes();
    }
}

// Those that run one inference; 1 on a device that says nothing of threads.
int threads_of(const CompiledModel& compiled) {
    const std::string known = compiled.get_property(property::kSupportedProperties);
    if (known.find(property::kInferenceNumThreads) == std::string::npos) return 1;
    int threads = std::atoi(compiled.get_property(property::kInferenceNumThreads).c_str());
    if (threads == 0) threads = static_cast<int>(std::thread::hardware_concurrency());
    const int streams = std::atoi(compiled.get_property(property::kNumStreams).c_str());
    return std::max(1, threads / std::max(1, streams));
}

void measure_machine(const Core& core, const CompiledModel& compiled,
                     const std::vector<InputSet>& sets, const BenchmarkOptions& options,
                     BenchmarkResult& result) {
    result.nodes = nodes_that_ran(compiled, sets);
    const double bytes = total_bytes(result.nodes);
    if (bytes == 0) return;
    const auto versions = core.get_versions(options.device);
    try {
        result.limits =
            measure_limits(versions.begin()->second.description, threads_of(compiled), bytes);
    } catch (const std::exception& error) {  // what was measured is worth more
        say(std::string("the machine's limits weren't measured: ") + error.what());
    }
}

// The figures come first: files that can't be written don't keep them.
void report(const BenchmarkOptions& options, const BenchmarkResult& result) {
    if (options.counters || !options.counter_order.empty()) {
        print_counters(ordered(result.profiling, options.counter_order));
    }
    print_summary(result, options);
    std::vector<std::function<void()>> writers{[&] { write_reports(result, options); }};
    if (!options.html.empty()) {
        writers.emplace_back([&] {
            write_file(options.html, {html_report(result, options)});
            say("Report written to " + options.html);
        });
    }
    if (!options.trace.empty()) {
        writers.emplace_back([&] {
            write_file(options.trace, {trace_json(result.trace), "\n"});
            say("Trace written to " + options.trace + "; https://ui.perfetto.dev opens it");
        });
    }
    call_each(writers);
}

}  // namespace

int benchmark(const BenchmarkOptions& options) {
    step(1);
    check(options);
    step(2);
    Core core = core_for(options.properties);
    say("Rondo " + get_version().build_number + ", device " + options.device);
    BenchmarkResult result;
    result.api = api_of(options);
    if (options.batch > 0) result.batch = options.batch;
    std::vector<InputSet> sets;
    CompiledModel compiled = load(core, options, result, sets);
    step(8);
    result.properties = properties_of(compiled);
    describe_properties(result.properties, options.device);
    result.execution_devices = compiled.get_property(property::kExecutionDevices);
    if (!options.exec_graph.empty()) save_model(compiled.runtime_model(), options.exec_graph);
    if (options.iterations == 0U) {
        say("-niter 0 only compiles: nothing was measured, and no report is written");
        return 0;
    }
    step(9);
    if (!options.live.streams.empty()) {
        step(10, "live streams");
        return benchmark_streams(compiled, sets, options);
    }
    result.requests = request_count(options, compiled);
    result.surroundings = surroundings(core, options.device);
    const int exit_code = measure_requests(compiled, sets, options, result);
    step(11);
    if (shows_limits(options)) measure_machine(core, compiled, sets, options, result);
    report(options, result);
    return exit_code;
}

}  // namespace rondo::tool
