// Writes tensors as ONNX messages.
#pragma once

#include <cstddef>

#include "core/support/function_ref.hpp"
#include "frontend/onnx/messages/message.hpp"
#include "rondo/tensor.hpp"

namespace rondo::onnx {

/// Fills the message with type, shape and elements (raw_data; those of 2 to 8 bits packed).
void write_tensor(const Tensor& value, rondo_onnx::TensorProto& tensor);

/// Type and shape alone.
void write_form(const Tensor& value, rondo_onnx::TensorProto& tensor);
/// How many bytes the elements take, row-major; those of 2 to 8 bits packed.
std::size_t stored_bytes(const Tensor& value);
/// Calls `use` with these bytes, unless there are none.
void with_stored(const Tensor& value, FunctionRef<void(const void* bytes)> use);

}  // namespace rondo::onnx
