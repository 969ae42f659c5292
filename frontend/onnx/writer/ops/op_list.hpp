// All ops that can be written as ONNX.
#pragma once

#include <string_view>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

/// Null for an op that ONNX has no words for. `type`: its name in the IR.
const OpWriter* find_op_writer(std::string_view type);

}  // namespace rondo::onnx
