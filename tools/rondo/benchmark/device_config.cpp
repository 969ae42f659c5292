#include "benchmark/device_config.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "files.hpp"
#include "property_arguments.hpp"
#include "rondo/error.hpp"
#include "texts.hpp"

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
    const json config = json::parse(file_bytes(path), nullptr, false);
    if (!config.is_object()) {
        throw ModelError("-load_config " + path + ": expected JSON such as {\"" + device +
                         "\": {\"NUM_STREAMS\": \"2\"}}");
    }
    Properties properties;
    if (!config.contains(device)) return properties;
    if (!config[device].is_object()) {
        throw ModelError("-load_config " + path + ": '" + device + "' holds no properties");
    }
    for (const auto& [name, value] : config[device].items()) {
        if (value.is_structured()) {
            throw ModelError("-load_config " + path + ": the value of '" + name +
                             "' is not a string, number or truth value");
        }
        if (has_effect(name)) {
            properties[name] = text_of(value);
        } else {
            note_without_effect(name);
        }
    }
    return properties;
}

bool wants_counters(const BenchmarkOptions& options) {
    const bool in_report = !options.report_type.empty() && options.report_type != "no_counters";
    return options.counters || in_report || !options.counter_order.empty() || !options.html.empty();
}

void add_named(Properties& properties, const BenchmarkOptions& options) {
    if (!options.hint.empty() && options.hint != "none") {
        properties[property::kPerformanceHint] = upper(options.hint);
    }
    if (options.threads > 0) {
        properties[property::kInferenceNumThreads] = std::to_string(options.threads);
    }
    if (!options.streams.empty()) {
        properties[property::kNumStreams] = value_for(options.device, "-nstreams", options.streams);
    }
    if (!options.precision.empty()) {
        properties[property::kInferencePrecisionHint] =
            value_for(options.device, "-infer_precision", options.precision);
    }
    if (!options.pinning.empty()) properties[property::kEnableCpuPinning] = options.pinning;
    if (wants_counters(options)) properties[property::kPerfCount] = "YES";
    if (!options.trace.empty()) properties[property::kPerfTrace] = "YES";
}

}  // namespace

bool has_property(const Core& core, const std::string& device, const char* name) {
    const std::string known = core.get_property(device, property::kSupportedProperties);
    return known.find(name) != std::string::npos;
}

std::string api_of(const BenchmarkOptions& options) {
    if (!options.api.empty()) return options.api;
    return options.hint == "latency" ? "sync" : "async";
}

DeviceConfig device_config(const Core& core, const BenchmarkOptions& options) {
    if (is_tuned(options) && !options.hint.empty() && options.hint != "none") {
        throw ModelError("-nstreams and -nthreads go without -hint, or with -hint none: hint '" +
                         options.hint + "' chooses them itself");
    }
    DeviceConfig config;
    add_named(config.properties, options);
    Properties given = parse_properties(options.properties);
    config.properties.merge(given);
    if (!options.load_config.empty()) {
        Properties loaded = read_config(options.load_config, options.device);
        config.properties.merge(loaded);
    }
    bool is_chosen = options.hint == "none";
    for (const char* name :
         {property::kPerformanceHint, property::kNumStreams, property::kInferenceNumThreads}) {
        is_chosen = is_chosen || config.properties.count(name) > 0;
    }
    if (is_chosen || !has_property(core, options.device, property::kPerformanceHint)) return config;
    config.default_hint = options.api == "sync" ? "LATENCY" : "THROUGHPUT";
    config.properties[property::kPerformanceHint] = config.default_hint;
    return config;
}

void dump_config(const std::string& path, const std::string& device, const Properties& properties) {
    json values = json::object();
    for (const auto& [name, value] : properties) values[name] = value;
    write_file(path, {json_text({{device, values}}), "\n"});
}

}  // namespace rondo::tool
