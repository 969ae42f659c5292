// Finds the converters of a model's operators, and the operators that have none.
#pragma once

#include "frontend/onnx/local_functions.hpp"
#include "frontend/onnx/messages/message.hpp"
#include "frontend/onnx/messages/opset_imports.hpp"
#include "frontend/onnx/ops/op_list.hpp"
#include "frontend/onnx/refusals.hpp"

namespace rondo::onnx {

/// The converter of a node's operator in the version that the model imports, or null.
const OpEntry* find_converter(const rondo_onnx::NodeProto& node, const OpsetImports& opsets);

/// Adds all operators that are neither functions of the model nor have a converter, those in bodies
/// and in the functions that are called too.
void check_operators(const rondo_onnx::GraphProto& graph, const OpsetImports& opsets,
                     const LocalFunctions& functions, Refusals& refusals);

}  // namespace rondo::onnx
