// Turns a graph message into a graph.
#pragma once

#include <memory>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/model_source.hpp"
#include "frontend/onnx/messages/message.hpp"
#include "rondo/core.hpp"

namespace rondo::onnx {

/// `source` has the folder of files with external data. Weights are moved out of the message into
/// `weights`, the tensors of the graph's initializers; if there are some already, those are
/// taken and the message's aren't looked at. Calls of the model's own functions are replaced by the
/// functions' nodes. Throws ModelError or UnsupportedError naming the place in the model, but not
/// the file; one UnsupportedError names everything that can't be read.
std::shared_ptr<Graph> read_graph(rondo_onnx::ModelProto& model, const ModelSource& source,
                                  std::vector<Tensor>& weights);

/// What read_graph() would say of each node of the main graph, in the message's order. Weights are
/// moved out of the message.
std::vector<NodeSupport> query_graph(rondo_onnx::ModelProto& model, const ModelSource& source);

}  // namespace rondo::onnx
