// The properties that a benchmark gives its device, from options, hints and files.
#pragma once

#include <string>

#include "arguments.hpp"
#include "rondo/core.hpp"

namespace rondo::tool {

/// "sync" or "async": as asked for, else sync with the hint latency.
std::string api_of(const BenchmarkOptions& options);

bool has_property(const Core& core, const std::string& device, const char* name);

struct DeviceConfig {
    Properties properties;
    std::string default_hint;  ///< such as THROUGHPUT; empty if an option or a file chose
};

/// What the options say, options given by name before -p, and -p before -load_config. If none of
/// them has a hint, streams or threads, a device with hints gets one; a device without hints
/// (REFERENCE) has one only if it was asked for. Throws ModelError for options that contradict each
/// other, and for a file that can't be read.
DeviceConfig device_config(const Core& core, const BenchmarkOptions& options);

/// Writes them as -load_config reads them: {DEVICE: {NAME: VALUE}}.
void dump_config(const std::string& path, const std::string& device, const Properties& properties);

}  // namespace rondo::tool
