// How messages name the nodes and tensors of an ONNX graph, what nodes that are made of them mean,
// and the order in which they are read.
#pragma once

#include <string>
#include <vector>

#include "core/graph/node_origin.hpp"
#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// The node's name, or "LSTM_3" if it has none and `index` is 3.
std::string shown_name(const rondo_onnx::NodeProto& node, int index);
std::string shown_name(const rondo_onnx::GraphProto& graph, int index);

/// Nodes in front of this one may be removed: shown_name() says `index` of it all the same.
void keep_number(rondo_onnx::NodeProto& node, int index);

/// "node 'lstm_1' (LSTM)", or "node of 'y' (LSTM)" if it has no name.
std::string node_place(const rondo_onnx::GraphProto& graph, int index);

/// For a tensor that isn't known where it is read: throws UnsupportedError if a node should have
/// made it, ModelError if none does.
[[noreturn]] void fail_missing_tensor(const rondo_onnx::GraphProto& graph, const std::string& name);

/// The indices of the nodes, each after the nodes whose outputs it or its bodies read: the file's
/// order if that is one, as ONNX wants it; some tools append nodes that belong in front. Throws
/// ModelError naming a node if nodes read each other in a circle; a body, which may read a
/// tensor from outside and then give another one its name, stays in the file's order instead.
std::vector<int> node_order(const rondo_onnx::GraphProto& graph, bool is_body = false);

/// That of what is made of a node. Its name is one that the file has: the node's, or else that of
/// the first output; `shown_name` if there is neither.
NodeOriginPtr node_origin(const rondo_onnx::NodeProto& node, const std::string& shown_name);

/// That of what is made of a graph's input or output, or of an initializer.
NodeOriginPtr input_origin(const std::string& name);
NodeOriginPtr output_origin(const std::string& name);
NodeOriginPtr tensor_origin(const std::string& name);

}  // namespace rondo::onnx
