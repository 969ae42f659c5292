#include "frontend/onnx/node_places.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>

#include "frontend/onnx/messages/origins.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

namespace {

constexpr char kMark = '\1';  // of a number in a node's doc_string, which is read for nothing else

bool has_kept_number(const rondo_onnx::NodeProto& node) {
    return !node.doc_string().empty() && node.doc_string()[0] == kMark;
}

}  // namespace

std::string shown_name(const rondo_onnx::NodeProto& node, int index) {
    if (!node.name().empty()) return node.name();
    const std::string number =
        has_kept_number(node) ? node.doc_string().substr(1) : std::to_string(index);
    return node.op_type() + "_" + number;
}

void keep_number(rondo_onnx::NodeProto& node, int index) {
    if (!node.name().empty() || has_kept_number(node)) return;
    node.set_doc_string(kMark + std::to_string(index));
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
