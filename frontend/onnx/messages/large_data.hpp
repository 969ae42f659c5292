// Large weights inside an ONNX file, which needn't pass through protobuf.
#pragma once

#include <string>

#include "core/graph/model_source.hpp"

namespace rondo::onnx {

/// The model's message with references to its own file (external data at kOwnFile) in place of
/// large raw_data: protobuf would copy those to memory that isn't aligned for them. Empty if
/// there are none, if the source is no mapped file, or if the bytes are no plain message;
/// then the bytes themselves are to be parsed.
std::string without_large_data(const ModelSource& source);

/// True for a message with such references.
bool has_references(const std::string& message);

}  // namespace rondo::onnx
