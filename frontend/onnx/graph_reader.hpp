// Turns a graph message into a graph.
#pragma once

#include <memory>
#include <string>

#include "core/graph/graph.hpp"
#include "core/graph/model_source.hpp"
#include "frontend/onnx/messages/message.hpp"
#include "frontend/onnx/messages/opset_imports.hpp"

namespace rondo::onnx {

/// `source` has the folder of files with external data. Weights are moved out of the message.
/// Throws ModelError or UnsupportedError naming the place in the model, but not the file.
std::shared_ptr<Graph> read_graph(rondo_onnx::GraphProto& graph, const OpsetImports& opsets,
                                  const ModelSource& source);

}  // namespace rondo::onnx
