#include "frontend/onnx/context/sequence.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>
#include <set>
#include <vector>

namespace rondo::onnx {
namespace {

using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;

bool reads(const NodeProto& node, const std::string& name) {
    return std::find(node.input().begin(), node.input().end(), name) != node.input().end();
}

bool is_output(const GraphProto& graph, const std::string& name) {
    return std::any_of(graph.output().begin(), graph.output().end(),
                       [&](const auto& output) { return output.name() == name; });
}

// Also where a body has a tensor of its own of that name: then nothing is joined too early.
bool bodies_read(const NodeProto& node, const std::string& name) {
    for (const auto& attribute : node.attribute()) {
        const GraphProto& body = attribute.g();
        if (is_output(body, name)) return true;
        for (const NodeProto& inner : body.node()) {
            if (reads(inner, name) || bodies_read(inner, name)) return true;
        }
    }
    return false;
}

std::int64_t int_attribute(const NodeProto& node, const std::string& name) {
    for (const auto& attribute : node.attribute()) {
        if (attribute.name() == name) return attribute.i();
    }
    return 0;
}

// The names that a sequence has, one after another, and the axis that its readers have in common.
class Readers {
public:
    explicit Readers(const GraphProto& graph) : graph_(graph) {}

    std::optional<std::int64_t> axis_of(const std::string& first) {
        std::vector<std::string> names{first};
        while (!names.empty()) {
            const std::string name = names.back();
            names.pop_back();
            if (is_output(graph_, name) || !seen_.insert(name).second) return std::nullopt;
            for (const NodeProto& node : graph_.node()) {
                if (bodies_read(node, name)) return std::nullopt;
                if (!reads(node, name)) continue;
                if (!take(node, name)) return std::nullopt;
                if (node.op_type() != "ConcatFromSequence") names.push_back(node.output(0));
            }
        }
        return axes_.size() == 1 ? std::optional(*axes_.begin()) : std::nullopt;
    }

private:
    // Whether the reader is one that joins the tensors, or hands the sequence on.
    bool take(const NodeProto& node, const std::string& name) {
        if (!node.domain().empty() || node.input(0) != name || node.output_size() != 1)
            return false;
        if (node.op_type() == "ConcatFromSequence") {
            axes_.insert(int_attribute(node, "axis"));
            return int_attribute(node, "new_axis") == 0;
        }
        return node.op_type() == "SequenceInsert" || node.op_type() == "Identity";
    }

    const GraphProto& graph_;
    std::set<std::int64_t> axes_;
    std::set<std::string> seen_;
};

}  // namespace

std::optional<std::int64_t> joined_axis_of(const GraphProto& graph, const std::string& name) {
    return Readers(graph).axis_of(name);
}

}  // namespace rondo::onnx
