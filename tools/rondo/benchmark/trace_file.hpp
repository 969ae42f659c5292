// A trace of one inference for Perfetto and chrome://tracing.
#pragma once

#include <string>
#include <vector>

#include "rondo/infer_request.hpp"

namespace rondo::tool {

/// Chrome's trace format: a complete event a slice, with its kernel as an argument, and the names
/// of the threads. Times are in microseconds.
std::string trace_json(const std::vector<TraceSlice>& slices);

}  // namespace rondo::tool
