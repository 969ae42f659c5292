// A tensor in onnxruntime's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings/onnxruntime/src/host.hpp"
#include "bindings/onnxruntime/src/wire.hpp"

namespace rondo::ort {

/// Type, shape and elements, which stay onnxruntime's.
struct HostTensor {
    int element_type = 0;  ///< TensorProto.DataType
    std::vector<std::int64_t> extents;
    const char* data = nullptr;
    std::size_t bytes = 0;

    bool operator==(const HostTensor&) const = default;
};

/// Throws UnsupportedError for a tensor of texts.
HostTensor look_at(const Host& host, const OrtValue* value);
/// The same without `bytes`, into a tensor whose memory is used again.
void look_at(const Host& host, const OrtValue* value, HostTensor& tensor);

/// A TensorProto with type, shape and name, without elements.
Message form_message(const HostTensor& tensor, const std::string& name);

}  // namespace rondo::ort
