#include "property_arguments.hpp"

#include <iostream>

#include "rondo/error.hpp"
#include "rondo/openvino/names.hpp"

namespace rondo::tool {
namespace {

void add(Properties& properties, const std::string& name, const std::string& value) {
    if (properties.emplace(name, value).second) return;
    throw ModelError("the property '" + name + "' is given twice");
}

using Pair = std::pair<std::string, std::string>;

// "NAME=VALUE" as both; what doesn't look so is refused: "-p x: expected ...".
Pair split(const std::string& option, const std::string& text, const std::string& expected) {
    const auto equals = text.find('=');
    if (equals != std::string::npos && equals > 0) {
        return {text.substr(0, equals), text.substr(equals + 1)};
    }
    throw ModelError(option + " " + text + ": expected " + expected);
}

}  // namespace

bool has_effect(const std::string& property) { return !ov::is_without_effect(property); }

void note_without_effect(const std::string& property) {
    std::cerr << "rondo: the property '" << property << "' is OpenVINO's and has no effect here\n";
}

Properties parse_properties(const PropertyOptions& options) {
    Properties properties;
    if (!options.cache_dir.empty()) add(properties, property::kCacheDir, options.cache_dir);
    if (options.keep_inputs) add(properties, property::kKeepInputs, "YES");
    for (const auto& pair : options.pairs) {
        const auto [name, value] = split("-p", pair, "NAME=VALUE, such as NUM_STREAMS=2");
        if (has_effect(name)) add(properties, name, value);
    }
    return properties;
}

Core core_for(const PropertyOptions& options) {
    for (const auto& pair : options.pairs) {
        const std::string name = pair.substr(0, pair.find('='));
        if (!has_effect(name)) note_without_effect(name);
    }
    Properties reading;
    for (const auto& [name, value] : parse_properties(options)) {
        if (name.rfind("MAX_", 0) == 0 || name == property::kKeepInputs) reading[name] = value;
    }
    Core core;
    for (const auto& plugin : options.plugins) {
        const auto [name, path] = split("--plugin", plugin, "NAME=FILE, such as MINE=./libmine.so");
        core.register_plugin(path, name);
    }
    if (!reading.empty()) core.set_property("CPU", reading);
    return core;
}

}  // namespace rondo::tool
