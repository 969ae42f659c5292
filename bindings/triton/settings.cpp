#include "bindings/triton/settings.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>
#include <vector>

#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"

namespace rondo::triton {
namespace {

using std::chrono::microseconds;

[[noreturn]] void refuse(const std::string& name, const std::string& value,
                         const std::string& expected) {
    throw ModelError("parameter '" + name + "' is '" + value + "'; expected " + expected);
}

// Digits at the front of `value`, of at most 9, so that no unit overflows, and what follows them.
std::pair<std::uint64_t, std::string> split_number(const std::string& value) {
    std::uint64_t number = 0;
    const char* end = value.data() + value.size();
    const auto [rest, error] = std::from_chars(value.data(), end, number);
    if (error != std::errc() || rest - value.data() > 9) return {0, "?"};
    return {number, {rest, end}};
}

std::size_t number_of(const std::string& name, const std::string& value) {
    const auto [number, rest] = split_number(value);
    if (!rest.empty()) refuse(name, value, "a number");
    return number;
}

microseconds time_of(const std::string& name, const std::string& value) {
    const auto [number, unit] = split_number(value);
    const auto count = static_cast<microseconds::rep>(number);
    if (unit == "us" || (unit.empty() && number == 0)) return microseconds(count);
    if (unit == "ms") return std::chrono::milliseconds(count);
    if (unit == "s") return std::chrono::seconds(count);
    if (unit == "min") return microseconds(count * 60000000);
    refuse(name, value, "a time with its unit, such as 500us, 20ms, 60s or 5min");
}

bool switch_of(const std::string& name, const std::string& value) {
    for (const char* yes : {"YES", "TRUE", "true", "yes"}) {
        if (value == yes) return true;
    }
    for (const char* no : {"NO", "FALSE", "false", "no"}) {
        if (value == no) return false;
    }
    refuse(name, value, "YES or NO");
}

Overflow overflow_of(const std::string& name, const std::string& value) {
    if (value == "reject") return Overflow::reject;
    if (value == "block") return Overflow::block;
    if (value == "drop_oldest") return Overflow::drop_oldest;
    refuse(name, value, "reject, block or drop_oldest");
}

std::string text_or_none(const std::string& value) { return value == "none" ? "" : value; }

std::string batch_of(const std::string& name, const std::string& value) {
    if (value != "auto" && value != "?" && value != "none") refuse(name, value, "auto, ? or none");
    return text_or_none(value);
}

bool is_open(const std::string& name, const std::string& value) {
    if (value != "?" && value != "none") refuse(name, value, "? or none");
    return value == "?";
}

using Text = const std::string&;

struct Parameter {
    const char* name;
    void (*set)(Settings& settings, Text name, Text value);
};

// keep-sorted
const Parameter kParameters[] = {
    {"batch", [](Settings& s, Text name, Text value) { s.batch = batch_of(name, value); }},
    {"batch_axis",
     [](Settings& s, Text name, Text value) { s.has_new_batch_axis = is_open(name, value); }},
    {"deadline",
     [](Settings& s, Text name, Text value) { s.stream.deadline = time_of(name, value); }},
    {"idle_timeout",
     [](Settings& s, Text name, Text value) {
         using std::chrono::milliseconds;
         s.pool.idle_timeout = std::chrono::ceil<milliseconds>(time_of(name, value));
     }},
    {"max_batch",
     [](Settings& s, Text name, Text value) { s.pool.max_batch = number_of(name, value); }},
    {"max_delay",
     [](Settings& s, Text name, Text value) { s.pool.max_delay = time_of(name, value); }},
    {"max_streams",
     [](Settings& s, Text name, Text value) { s.pool.max_streams = number_of(name, value); }},
    {"open_on_demand",
     [](Settings& s, Text name, Text value) { s.opens_on_demand = switch_of(name, value); }},
    {"overflow",
     [](Settings& s, Text name, Text value) { s.pool.overflow = overflow_of(name, value); }},
    {"precision", [](Settings& s, Text,
                     Text value) { s.properties[property::kInferencePrecisionHint] = value; }},
    {"queue_limit",
     [](Settings& s, Text name, Text value) { s.pool.queue_limit = number_of(name, value); }},
    {"stateful", [](Settings& s, Text, Text value) { s.stateful = text_or_none(value); }},
    {"streaming", [](Settings& s, Text, Text value) { s.streaming = text_or_none(value); }},
    {"threads",
     [](Settings& s, Text name, Text value) { s.pool.threads = number_of(name, value); }},
};

// The properties of the device that can be set.
std::vector<std::string> property_names(const Core& core) {
    std::vector<std::string> names;
    std::istringstream list(core.get_property("CPU", property::kSupportedProperties));
    for (std::string name; list >> name;) {
        if (!is_read_only(name)) names.push_back(name);
    }
    return names;
}

const Parameter* find_parameter(const std::string& name) {
    for (const Parameter& parameter : kParameters) {
        if (name == parameter.name) return &parameter;
    }
    return nullptr;
}

// The server hands the requests of all sequences over on one thread, and push() of the pool would
// hold it up. The requests wait in the pool instead, as their clients wait for the answers.
void wait_without_limit(StreamPoolOptions& pool) {
    if (pool.overflow != Overflow::block) return;
    pool.overflow = Overflow::reject;
    pool.queue_limit = 0;
}

}  // namespace

Settings read_settings(const nlohmann::json& config, const Core& core) {
    Settings settings;
    const auto properties = property_names(core);
    const auto parameters = config.value("parameters", nlohmann::json::object());
    for (const auto& [name, entry] : parameters.items()) {
        if (name.rfind("TRITON_", 0) == 0) continue;  // the server's own
        const auto value = entry.value("string_value", std::string());
        if (const Parameter* parameter = find_parameter(name)) {
            parameter->set(settings, name, value);
        } else if (std::count(properties.begin(), properties.end(), name) > 0) {
            settings.properties[name] = value;
        } else {
            std::vector<std::string> known;
            for (const Parameter& one : kParameters) known.emplace_back(one.name);
            known.insert(known.end(), properties.begin(), properties.end());
            throw ModelError("unknown parameter '" + name + "'; " + known_names(name, known));
        }
    }
    wait_without_limit(settings.pool);
    return settings;
}

}  // namespace rondo::triton
