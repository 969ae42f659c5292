// Finds the converters of a model's operators, and refuses a model that has unknown ones.
#pragma once

#include "frontend/onnx/messages/message.hpp"
#include "frontend/onnx/messages/opset_imports.hpp"
#include "frontend/onnx/ops/op_list.hpp"

namespace rondo::onnx {

/// The converter of a node's operator in the version that the model imports, or null.
const OpEntry* find_converter(const rondo_onnx::NodeProto& node, const OpsetImports& opsets);

/// Throws UnsupportedError that names all operators without a converter, those in bodies too.
void check_operators(const rondo_onnx::GraphProto& graph, const OpsetImports& opsets);

}  // namespace rondo::onnx
