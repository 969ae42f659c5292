#include "frontend/onnx/context/readers.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>
#include <set>
#include <vector>

namespace rondo::onnx {
namespace {

using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;

bool reads(const NodeProto& node, const std::string& name) {
    return std::ranges::find(node.input(), name) != node.input().end();
}

bool is_output(const GraphProto& graph, const std::string& name) {
    return std::ranges::any_of(graph.output(),
                               [&](const auto& output) { return output.name() == name; });
}

// Even if a body has a tensor of its own of that name: then too many readers are found.
bool bodies_read(const NodeProto& node, const std::string& name) {
    return std::ranges::any_of(node.attribute(), [&](const auto& attribute) {
        const GraphProto& body = attribute.g();
        return is_output(body, name) ||
               std::ranges::any_of(body.node(), [&](const NodeProto& inner) {
                   return reads(inner, name) || bodies_read(inner, name);
               });
    });
}

std::int64_t int_attribute(const NodeProto& node, const std::string& name) {
    for (const auto& attribute : node.attribute()) {
        if (attribute.name() == name) return attribute.i();
    }
    return 0;
}

// Whether the reader is one that joins the tensors, or hands the sequence on.
bool joins(const NodeProto& node, const std::string& name, std::set<std::int64_t>& axes) {
    if (!node.domain().empty() || node.input(0) != name || node.output_size() != 1) return false;
    if (node.op_type() != "ConcatFromSequence") {
        return node.op_type() == "SequenceInsert" || node.op_type() == "Identity";
    }
    axes.insert(int_attribute(node, "axis"));
    return int_attribute(node, "new_axis") == 0;
}

}  // namespace

std::optional<std::int64_t> joined_axis_of(const GraphProto& graph, const std::string& first) {
    std::set<std::int64_t> axes;
    std::set<std::string> seen;
    std::vector<std::string> names{first};  // that the sequence has, one after another
    while (!names.empty()) {
        const std::string name = names.back();
        names.pop_back();
        if (is_output(graph, name) || !seen.insert(name).second) return std::nullopt;
        for (const NodeProto& node : graph.node()) {
            if (bodies_read(node, name)) return std::nullopt;
            if (!reads(node, name)) continue;
            if (!joins(node, name, axes)) return std::nullopt;
            if (node.op_type() != "ConcatFromSequence") names.push_back(node.output(0));
        }
    }
    return axes.size() == 1 ? std::optional(*axes.begin()) : std::nullopt;
}

std::optional<bool> transposed_right_side(const GraphProto& graph, const std::string& name) {
    if (is_output(graph, name)) return {};
    const NodeProto* product = nullptr;
    for (const auto& node : graph.node()) {
        const auto readers = std::ranges::count(node.input(), name);
        if (bodies_read(node, name) || readers > 1 || (readers == 1 && product != nullptr)) {
            return {};
        }
        if (readers == 1) product = &node;
    }
    if (product == nullptr || product->input_size() < 2 || product->input(1) != name) return {};
    if (product->op_type() == "MatMul") return false;
    if (product->op_type() != "Gemm" || int_attribute(*product, "transA") != 0) return {};
    return int_attribute(*product, "transB") != 0;
}

}  // namespace rondo::onnx
