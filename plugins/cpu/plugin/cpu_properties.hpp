// The CPU device's properties: defaults, checks, and the settings that follow from them.
#pragma once

#include <string>

#include "rondo/properties.hpp"

namespace rondo::cpu {

/// Names with default or read-only values. Throws ModelError if RONDO_ISA names an instruction set
/// that this machine lacks.
Properties device_properties();

/// Throws ModelError if the value doesn't fit the property, UnsupportedError for a precision that
/// this device has no kernels for.
void check_device_property(const std::string& name, const std::string& value);

/// The CPU, the instruction set that is in force, and the settings that change results.
std::string cache_key_of(const Properties& properties);

/// Whether products may round their numbers to bf16. Throws UnsupportedError where denormals are
/// to be kept, which tiles count as zeros.
bool allows_bf16(const Properties& properties);

/// The settings in force on a machine with `cores` cores.
struct Resources {
    int streams = 1;  ///< requests that are meant to run at once
    int threads = 1;  ///< of one request
};

/// LATENCY: one stream with all threads; the other hints: a stream a thread, but no more than
/// PERFORMANCE_HINT_NUM_REQUESTS. NUM_STREAMS and INFERENCE_NUM_THREADS (0: all `cores`) override.
Resources resources_of(const Properties& properties, int cores);

}  // namespace rondo::cpu
