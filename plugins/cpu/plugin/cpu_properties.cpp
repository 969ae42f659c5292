#include "plugins/cpu/plugin/cpu_properties.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include "core/runtime/properties/property_values.hpp"
#include "core/support/strings.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "rondo/element_type.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

constexpr long long kMostThreads = 1024;
constexpr const char* kAuto = "AUTO";
constexpr const char* kBf16Hint = "bf16";
constexpr std::array kHints = {"LATENCY", "THROUGHPUT", "CUMULATIVE_THROUGHPUT"};

// The name from the CPU itself, or from Linux.
std::string cpu_name() {
    if (!cpu_features().brand.empty()) return cpu_features().brand;
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("model name")) continue;
        return std::string(trim(line.substr(std::min(line.find(':') + 1, line.size()))));
    }
    return "unknown CPU";
}

// `chosen` is what a user writes for the device's own choice.
int count_of(const std::string& name, const std::string& value, const std::string& chosen = "0") {
    long long number = 0;
    if (!parse_int(value, number) || number < 0 || number > kMostThreads) {
        refuse_value(name, value,
                     chosen + " for the device's own choice, or a number up to " +
                         std::to_string(kMostThreads));
    }
    return static_cast<int>(number);
}

// 0: the device chooses. OpenVINO writes AUTO as -1.
int streams_of(const std::string& value) {
    if (equals_ignoring_case(value, kAuto) || value == "-1") return 0;
    return count_of(property::kNumStreams, value, kAuto);
}

void check_hint(const std::string& value) {
    const bool known = std::any_of(kHints.begin(), kHints.end(), [&](const char* hint) {
        return equals_ignoring_case(value, hint);
    });
    if (!known) {
        refuse_value(property::kPerformanceHint, value,
                     "LATENCY, THROUGHPUT or CUMULATIVE_THROUGHPUT");
    }
}

bool is_element_type(const std::string& name) {
    try {
        return element_type_from_string(name) != ElementType::dynamic;
    } catch (const ModelError&) {
        return false;
    }
}

void check_precision(const std::string& value) {
    const std::string name = property::kInferencePrecisionHint;
    if (equals_ignoring_case(value, "f32") || equals_ignoring_case(value, kBf16Hint)) return;
    if (!is_element_type(value)) refuse_value(name, value, "f32 or bf16");
    throw UnsupportedError("property '" + name + "': got '" + value +
                           "'; the CPU device computes in f32 or bf16");
}

std::string value_of(const Properties& properties, const char* name, const char* otherwise) {
    const auto found = properties.find(name);
    return found == properties.end() ? otherwise : found->second;
}

bool is_switch(const std::string& name) {
    return name == property::kPerfCount || name == property::kPerfTrace ||
           name == property::kEnableCpuPinning || name == property::kCpuDenormalsOptimization;
}

}  // namespace

Properties device_properties() {
    Properties settable = {
        {property::kCpuDenormalsOptimization, "YES"},
        {property::kEnableCpuPinning, "NO"},
        {property::kInferenceNumThreads, "0"},
        {property::kInferencePrecisionHint, "f32"},
        {property::kNumStreams, kAuto},
        {property::kPerfCount, "NO"},
        {property::kPerfTrace, "NO"},
        {property::kPerformanceHint, "LATENCY"},
        {property::kPerformanceHintNumRequests, "0"},
    };
    const char* const read_only[] = {property::kExecutionDevices, property::kFullDeviceName,
                                     property::kOptimalNumberOfInferRequests,
                                     property::kOptimizationCapabilities,
                                     property::kSupportedProperties};
    std::vector<std::string> names(std::begin(read_only), std::end(read_only));
    for (const auto& [name, value] : settable) names.push_back(name);
    std::sort(names.begin(), names.end());
    Properties all = std::move(settable);
    all[property::kExecutionDevices] = "CPU";
    all[property::kFullDeviceName] = cpu_name();
    all[property::kOptimalNumberOfInferRequests] = "1";
    all[property::kOptimizationCapabilities] = "FP32 BF16 INT8";
    all[property::kSupportedProperties] = join(names, " ");
    return all;
}

void check_device_property(const std::string& name, const std::string& value) {
    if (name == property::kPerformanceHint) return check_hint(value);
    if (name == property::kInferencePrecisionHint) return check_precision(value);
    if (name == property::kNumStreams) {
        streams_of(value);
    } else if (name == property::kInferenceNumThreads ||
               name == property::kPerformanceHintNumRequests) {
        count_of(name, value);
    } else if (is_switch(name)) {
        switch_of(name, value);
    } else {
        throw ModelError("property '" + name + "' of device CPU can only be read");
    }
}

std::string cache_key_of(const Properties& properties) {
    std::string text = cpu_name() + ", " + name_of(usable_isa());
    for (const char* name :
         {property::kInferencePrecisionHint, property::kCpuDenormalsOptimization}) {
        text += std::string(", ") + name + "=" + to_lower(value_of(properties, name, ""));
    }
    return text;
}

bool allows_bf16(const Properties& properties) {
    const std::string name = property::kInferencePrecisionHint;
    if (!equals_ignoring_case(value_of(properties, name.c_str(), ""), kBf16Hint)) return false;
    const std::string denormals = property::kCpuDenormalsOptimization;
    if (switch_of(denormals, value_of(properties, denormals.c_str(), "YES"))) return true;
    throw UnsupportedError(
        "properties '" + name + "' and '" + denormals +
        "': products of bf16 count denormals as zeros; got 'NO', which keeps them");
}

Resources resources_of(const Properties& properties, int cores) {
    const int wanted = count_of(property::kInferenceNumThreads,
                                value_of(properties, property::kInferenceNumThreads, "0"));
    const int streams = streams_of(value_of(properties, property::kNumStreams, kAuto));
    const std::string hint = value_of(properties, property::kPerformanceHint, "LATENCY");
    const int threads = wanted > 0 ? wanted : cores;
    Resources resources;
    const int requests = count_of(property::kPerformanceHintNumRequests,
                                  value_of(properties, property::kPerformanceHintNumRequests, "0"));
    resources.streams = equals_ignoring_case(hint, "LATENCY") ? 1 : threads;
    if (requests > 0) resources.streams = std::min(resources.streams, requests);
    if (streams > 0) resources.streams = streams;
    resources.threads = std::max(1, threads / resources.streams);
    return resources;
}

}  // namespace rondo::cpu
