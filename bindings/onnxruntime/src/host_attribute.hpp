// A node's attributes, read from onnxruntime as ONNX messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bindings/onnxruntime/src/host.hpp"
#include "bindings/onnxruntime/src/wire.hpp"

namespace rondo::ort {

/// An AttributeProto for each attribute that is no graph. Throws UnsupportedError that names one
/// which can't be read.
std::vector<Message> attribute_messages(const Host& host, const OrtNode* node);

/// The value of an attribute; nothing if the node has none of that name and type. A zero byte at a
/// text's end is left out: some releases of onnxruntime add one.
std::optional<std::string> text_attribute(const Host& host, const OrtNode* node,
                                          const std::string& name);
std::optional<std::int64_t> int_attribute(const Host& host, const OrtNode* node,
                                          const std::string& name);

}  // namespace rondo::ort
