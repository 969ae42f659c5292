// The order in which a graph's nodes are read.
#pragma once

#include <vector>

#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// The indices of the nodes, each behind those whose outputs it or its bodies read: the file's
/// order where that is one, as ONNX wants it; some tools append nodes that belong in front. Throws
/// ModelError naming a node where nodes read each other in a circle; a body, which may read a
/// tensor from outside and then give another one its name, stays in the file's order instead.
std::vector<int> node_order(const rondo_onnx::GraphProto& graph, bool is_body = false);

}  // namespace rondo::onnx
