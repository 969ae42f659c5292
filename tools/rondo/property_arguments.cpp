#include "property_arguments.hpp"

#include "rondo/error.hpp"

namespace rondo::tool {
namespace {

void add(Properties& properties, const std::string& name, const std::string& value) {
    if (properties.emplace(name, value).second) return;
    throw ModelError("the property '" + name + "' is given twice");
}

}  // namespace

Properties parse_properties(const PropertyOptions& options) {
    Properties properties;
    if (!options.cache_dir.empty()) add(properties, property::kCacheDir, options.cache_dir);
    for (const auto& pair : options.pairs) {
        const auto equals = pair.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw ModelError("-p " + pair + ": expected NAME=VALUE, such as NUM_STREAMS=2");
        }
        add(properties, pair.substr(0, equals), pair.substr(equals + 1));
    }
    return properties;
}

Core core_for(const PropertyOptions& options) {
    Properties limits;
    for (const auto& [name, value] : parse_properties(options)) {
        if (name.rfind("MAX_", 0) == 0) limits[name] = value;
    }
    Core core;
    if (!limits.empty()) core.set_property("CPU", limits);
    return core;
}

}  // namespace rondo::tool
