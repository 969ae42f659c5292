// The CPU device's properties: defaults, checks, and what they come to.
#pragma once

#include <string>

#include "rondo/properties.hpp"

namespace rondo::cpu {

/// Names with default or read-only values. Throws ModelError where RONDO_ISA asks for what this
/// machine lacks.
Properties device_properties();

/// Throws ModelError where the value doesn't fit the property, UnsupportedError where it asks for a
/// precision that this device has no kernels for.
void check_device_property(const std::string& name, const std::string& value);

/// The CPU, the instruction set that is in force, and the settings that change results.
std::string cache_key_of(const Properties& properties);

/// What the settings come to on a machine with so many cores.
struct Resources {
    int streams = 1;  ///< requests that are meant to run at once
    int threads = 1;  ///< of one request
};

/// LATENCY: one stream with all threads; the other hints: a stream a thread, but no more than
/// PERFORMANCE_HINT_NUM_REQUESTS. NUM_STREAMS and INFERENCE_NUM_THREADS (0: all `cores`) override.
Resources resources_of(const Properties& properties, int cores);

}  // namespace rondo::cpu
