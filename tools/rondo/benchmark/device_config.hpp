// The properties that a benchmark gives its device, from options, hints and files.
#pragma once

#include "arguments.hpp"
#include "rondo/core.hpp"

namespace rondo::tool {

/// "sync" or "async": as asked for, else sync with the hint latency.
std::string api_of(const BenchmarkOptions& options);

/// What the options say, options given by name before -p, and -p before -load_config. A device
/// without hints (REFERENCE) gets none unless one was asked for. Throws ModelError for options that
/// contradict each other, and for a file that can't be read.
Properties device_config(const Core& core, const BenchmarkOptions& options);

/// Writes them as -load_config reads them: {DEVICE: {NAME: VALUE}}.
void dump_config(const std::string& path, const std::string& device, const Properties& properties);

}  // namespace rondo::tool
