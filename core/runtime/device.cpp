#include "core/runtime/device.hpp"

#include <algorithm>
#include <array>

#include "core/runtime/properties/property_values.hpp"
#include "core/support/log.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"

namespace rondo {
namespace {

// keep-sorted
constexpr std::array kReadOnly = {
    property::kAvailableDevices,
    property::kExecutionDevices,
    property::kFullDeviceName,
    property::kLoadedFromCache,
    property::kModelName,
    property::kOptimalNumberOfInferRequests,
    property::kOptimizationCapabilities,
    property::kSupportedProperties,
};

// The properties that Core adds to every device.
Properties core_properties() {
    Properties properties = limit_properties();
    properties[property::kAvailableDevices] = "";
    properties[property::kCacheDir] = "";
    properties[property::kDeviceId] = "";
    properties[property::kKeepInputs] = switch_text(false);
    properties[property::kLogLevel] = property_of_log_level(log_level());
    return properties;
}

// False if the property is the device's own.
bool check_core_property(const std::string& name, const std::string& value) {
    if (name == property::kDeviceId && !value.empty() && value != "0") {
        refuse_value(name, value, "'' or '0': there is one of each device");
    }
    if (name == property::kLogLevel && !log_level_of_property(value)) {
        refuse_value(name, value, "LOG_NONE, LOG_WARNING, LOG_INFO or LOG_DEBUG");
    }
    return check_limit(name, value) || core_properties().contains(name);
}

// Switches are reported as YES and NO.
std::string settled(const std::string& name, const std::string& value) {
    return name == property::kKeepInputs ? switch_text(switch_of(name, value)) : value;
}

// The one property that isn't the device's or the model's.
void apply_log_level(Properties& properties, const Properties& wanted) {
    const auto at = wanted.find(property::kLogLevel);
    if (at != wanted.end()) set_log_level(*log_level_of_property(at->second));
    properties[property::kLogLevel] = property_of_log_level(log_level());
}

std::vector<std::string> names_of(const Properties& properties) {
    std::vector<std::string> names;
    for (const auto& [name, value] : properties) names.push_back(name);
    return names;
}

}  // namespace

std::string device_named(const std::string& name) {
    for (const char* const choice : {"AUTO", "MULTI", "HETERO", "BATCH"}) {
        if (name == choice || name == std::string(choice) + ":CPU") return "CPU";
    }
    return name.empty() || name == "CPU.0" ? "CPU" : name;
}

namespace {

constexpr std::size_t kMostThreads = 1024;
std::atomic<std::size_t> chosen_threads{0};

}  // namespace

void set_default_threads(std::size_t threads) {
    if (threads > kMostThreads) {
        throw ModelError("set_default_threads: got " + std::to_string(threads) +
                         " threads; expected 0 to " + std::to_string(kMostThreads));
    }
    chosen_threads = threads;
}

std::size_t default_threads() { return chosen_threads; }

bool is_read_only(const std::string& name) {
    return std::find(kReadOnly.begin(), kReadOnly.end(), name) != kReadOnly.end();
}

Device::Device(std::string name, std::shared_ptr<Plugin> plugin)
    : name_(std::move(name)), plugin_(std::move(plugin)) {}

void Device::set_properties(const Properties& properties) { set_ = merged(properties); }

std::string Device::property(const std::string& name) const {
    const Properties all = merged({});
    const auto at = all.find(name);
    if (at != all.end()) return at->second;
    throw ModelError("device " + name_ + " has no property '" + name + "'; " +
                     known_names(name, names_of(all)));
}

Properties Device::merged(const Properties& properties) const {
    Properties all = plugin_->properties();
    all.merge(core_properties());
    all[property::kSupportedProperties] = join(names_of(all), " ");
    for (const auto& [name, value] : set_) {
        if (!is_read_only(name)) all[name] = value;
    }
    for (const auto& [name, value] : properties) {
        if (!all.contains(name)) {
            throw ModelError("device " + name_ + " has no property '" + name + "'; " +
                             known_names(name, names_of(all)));
        }
        if (is_read_only(name)) throw ModelError("property '" + name + "' can only be read");
        if (!check_core_property(name, value)) plugin_->check_property(name, value);
        all[name] = settled(name, value);
    }
    apply_log_level(all, properties);
    return all;
}

}  // namespace rondo
