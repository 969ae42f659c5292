#include "benchmark/device_config.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>

#include "files.hpp"
#include "json_text.hpp"
#include "property_arguments.hpp"
#include "rondo/error.hpp"

namespace rondo::tool {
namespace {

using nlohmann::json;

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

bool is_tuned(const BenchmarkOptions& options) {
    return options.threads > 0 || !options.streams.empty();
}

std::string hint_of(const BenchmarkOptions& options) {
    if (!options.hint.empty()) return options.hint;
    if (is_tuned(options)) return "none";
    return options.api == "sync" ? "latency" : "throughput";
}

// "CPU:2" is a value for the device CPU.
std::string value_for(const std::string& device, const std::string& option,
                      const std::string& text) {
    const auto colon = text.find(':');
    if (colon == std::string::npos) return text;
    if (text.substr(0, colon) == device) return text.substr(colon + 1);
    throw ModelError(option + " " + text + ": the device is " + device);
}

std::string text_of(const json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "YES" : "NO";
    return value.dump();
}

Properties read_config(const std::string& path, const std::string& device) {
    std::ifstream file(path);
    if (!file) throw ModelError("--load_config " + path + ": can't be read");
    const json config = json::parse(file, nullptr, false);
    if (!config.is_object()) {
        throw ModelError("--load_config " + path + ": expected JSON such as {\"" + device +
                         "\": {\"NUM_STREAMS\": \"2\"}}");
    }
    Properties properties;
    if (!config.contains(device)) return properties;
    if (!config[device].is_object()) {
        throw ModelError("--load_config " + path + ": '" + device + "' holds no properties");
    }
    for (const auto& [name, value] : config[device].items()) {
        if (value.is_structured()) {
            throw ModelError("--load_config " + path + ": the value of '" + name +
                             "' is not a string, number or truth value");
        }
        properties[name] = text_of(value);
    }
    return properties;
}

bool wants_counters(const BenchmarkOptions& options) {
    const bool in_report = !options.report_type.empty() && options.report_type != "no_counters";
    return options.counters || in_report || !options.counter_order.empty() || !options.html.empty();
}

void add_named(Properties& properties, const Core& core, const BenchmarkOptions& options) {
    const std::string hint = hint_of(options);
    const std::string known = core.get_property(options.device, property::kSupportedProperties);
    const bool has_hints = known.find(property::kPerformanceHint) != std::string::npos;
    if (hint != "none" && (has_hints || !options.hint.empty())) {
        properties[property::kPerformanceHint] = upper(hint);
    }
    if (options.threads > 0) {
        properties[property::kInferenceNumThreads] = std::to_string(options.threads);
    }
    if (!options.streams.empty()) {
        properties[property::kNumStreams] =
            value_for(options.device, "--nstreams", options.streams);
    }
    if (!options.precision.empty()) {
        properties[property::kInferencePrecisionHint] =
            value_for(options.device, "--infer_precision", options.precision);
    }
    if (!options.pinning.empty()) properties[property::kEnableCpuPinning] = options.pinning;
    if (wants_counters(options)) properties[property::kPerfCount] = "YES";
    if (!options.trace.empty()) properties[property::kPerfTrace] = "YES";
}

}  // namespace

std::string api_of(const BenchmarkOptions& options) {
    if (!options.api.empty()) return options.api;
    return options.hint == "latency" ? "sync" : "async";
}

Properties device_config(const Core& core, const BenchmarkOptions& options) {
    if (is_tuned(options) && !options.hint.empty() && options.hint != "none") {
        throw ModelError("--nstreams and --nthreads need --hint none: a hint chooses them itself");
    }
    Properties properties;
    add_named(properties, core, options);
    Properties given = parse_properties(options.properties);
    properties.merge(given);
    if (options.load_config.empty()) return properties;
    Properties loaded = read_config(options.load_config, options.device);
    // A hint that wasn't asked for gives way to the file's.
    const bool has_own = loaded.count(property::kNumStreams) > 0 ||
                         loaded.count(property::kInferenceNumThreads) > 0 ||
                         loaded.count(property::kPerformanceHint) > 0;
    if (options.hint.empty() && has_own) properties.erase(property::kPerformanceHint);
    properties.merge(loaded);
    return properties;
}

void dump_config(const std::string& path, const std::string& device, const Properties& properties) {
    json values = json::object();
    for (const auto& [name, value] : properties) values[name] = value;
    write_file(path, {json_text({{device, values}}), "\n"});
}

}  // namespace rondo::tool
