// What the nodes of a graph do with a sequence, before they are read.
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

}  // namespace rondo::onnx
