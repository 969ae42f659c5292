// Writes tensors as ONNX messages.
#pragma once

#include "frontend/onnx/messages/message.hpp"
#include "rondo/tensor.hpp"

namespace rondo::onnx {

/// Fills the message with type, shape and elements (raw_data; those of 2 to 8 bits packed).
void write_tensor(const Tensor& value, rondo_onnx::TensorProto& tensor);

}  // namespace rondo::onnx
