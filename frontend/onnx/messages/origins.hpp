// What of an ONNX file the nodes stand for that are made of it.
#pragma once

#include <string>

#include "core/graph/node_origin.hpp"
#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// That of what is made of a node. Its name is one that the file has: the node's, or else that of
/// the first output; `shown_name` where there is neither.
NodeOriginPtr node_origin(const rondo_onnx::NodeProto& node, const std::string& shown_name);

/// That of what is made of a graph's input or output, or of an initializer.
NodeOriginPtr input_origin(const std::string& name);
NodeOriginPtr output_origin(const std::string& name);
NodeOriginPtr tensor_origin(const std::string& name);

}  // namespace rondo::onnx
