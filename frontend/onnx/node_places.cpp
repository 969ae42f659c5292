#include "frontend/onnx/node_places.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>

#include "frontend/onnx/messages/origins.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

std::string shown_name(const rondo_onnx::NodeProto& node, int index) {
    return node.name().empty() ? node.op_type() + "_" + std::to_string(index) : node.name();
}

std::string shown_name(const rondo_onnx::GraphProto& graph, int index) {
    return shown_name(graph.node(index), index);
}

std::string node_place(const rondo_onnx::GraphProto& graph, int index) {
    const auto origin = node_origin(graph.node(index), shown_name(graph, index));
    return describe(origin.get(), origin->name, origin->type);
}

void fail_missing_tensor(const rondo_onnx::GraphProto& graph, const std::string& name) {
    for (int i = 0; i < graph.node_size(); ++i) {
        const auto& made = graph.node(i).output();
        if (std::find(made.begin(), made.end(), name) == made.end()) continue;
        throw UnsupportedError("the tensor '" + name + "' is an output of " + node_place(graph, i) +
                               " that is not supported");
    }
    throw ModelError("there is no tensor '" + name +
                     "': neither an input, nor an initializer, nor an output of a node");
}

}  // namespace rondo::onnx
