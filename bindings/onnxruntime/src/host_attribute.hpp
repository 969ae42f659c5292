// A node's attributes, read from onnxruntime as ONNX messages.
#pragma once

#include <vector>

#include "bindings/onnxruntime/src/host.hpp"
#include "bindings/onnxruntime/src/wire.hpp"

namespace rondo::ort {

/// An AttributeProto for each attribute that is no graph. Throws UnsupportedError that names one
/// which can't be read.
std::vector<Message> attribute_messages(const Host& host, const OrtNode* node);

}  // namespace rondo::ort
