// What the nodes of a graph do with a value, before they are read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// The axis along which ConcatFromSequence joins the tensors of the sequence of that name, if its
/// readers are only such nodes of one axis, with SequenceInsert and Identity in between.
std::optional<std::int64_t> joined_axis_of(const rondo_onnx::GraphProto& graph,
                                           const std::string& name);

/// Whether the value, as the right side of a product, is transposed, if one MatMul or Gemm alone
/// reads it, whose left side is not transposed.
std::optional<bool> transposed_right_side(const rondo_onnx::GraphProto& graph,
                                          const std::string& name);

}  // namespace rondo::onnx
