// How a program runs Rondo that can only load libraries of custom operators.
#pragma once

#include "bindings/onnxruntime/abi/onnxruntime.hpp"

namespace rondo::ort {

/// Registers this library with the process's environment, unless it is, and appends its provider to
/// the options of a session. Throws std::runtime_error with what onnxruntime says.
void append_provider(OrtSessionOptions& options, const OrtApiBase& base);

}  // namespace rondo::ort
