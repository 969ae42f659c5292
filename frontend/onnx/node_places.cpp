#include "frontend/onnx/node_places.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>

#include "rondo/error.hpp"

namespace rondo::onnx {

std::string node_place(std::string_view name, std::string_view op_type) {
    return "node '" + std::string(name) + "' (" + std::string(op_type) + ")";
}

std::string shown_name(const rondo_onnx::NodeProto& node, int index) {
    return node.name().empty() ? node.op_type() + "_" + std::to_string(index) : node.name();
}

std::string shown_name(const rondo_onnx::GraphProto& graph, int index) {
    return shown_name(graph.node(index), index);
}

void fail_missing_tensor(const rondo_onnx::GraphProto& graph, const std::string& name) {
    for (int i = 0; i < graph.node_size(); ++i) {
        const auto& made = graph.node(i).output();
        if (std::find(made.begin(), made.end(), name) == made.end()) continue;
        const std::string maker = node_place(shown_name(graph, i), graph.node(i).op_type());
        throw UnsupportedError("the tensor '" + name + "' is an output of " + maker +
                               " that is not supported");
    }
    throw ModelError("there is no tensor '" + name +
                     "': neither an input, nor an initializer, nor an output of a node");
}

}  // namespace rondo::onnx
