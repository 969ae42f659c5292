#include "frontend/onnx/body_ports.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>
#include <string_view>

#include "frontend/onnx/messages/message_lists.hpp"

namespace rondo::onnx {
namespace {

using rondo_onnx::AttributeProto;
using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;

// What a Scan says of each output that it joins.
constexpr std::string_view kJoinLists[] = {"scan_output_axes", "scan_output_directions"};

AttributeProto* find(NodeProto& node, std::string_view name) {
    return find_attribute(*node.mutable_attribute(), name);
}

// Those that the node gives: an input with an initializer is none.
std::vector<int> given_inputs(const GraphProto& body) {
    const auto defaults = initializer_names(body);
    std::vector<int> given;
    for (int i = 0; i < body.input_size(); ++i) {
        if (!defaults.contains(body.input(i).name())) given.push_back(i);
    }
    return given;
}

// The trip count and the condition come first.
BodyPorts ports_of_loop(const NodeProto& node) {
    BodyPorts ports;
    ports.first_result = 1;
    ports.first_input = 2;
    ports.carried = node.input_size() - 2;
    return ports;
}

BodyPorts ports_of_scan(NodeProto& node) {
    BodyPorts ports;
    const AttributeProto* scans = find(node, "num_scan_inputs");
    const auto count = scans == nullptr ? 0 : scans->i();
    const bool is_valid = count > 0 && count <= node.input_size();
    ports.carried = is_valid ? node.input_size() - static_cast<int>(count) : -1;
    return ports;
}

bool fits(NodeProto& node, BodyPorts& ports) {
    if (ports.carried < 0 || ports.carried > node.output_size()) return false;
    const int inputs = node.op_type() == "If" ? 0 : node.input_size();
    for (const GraphProto* body : ports.bodies) {
        const auto given = given_inputs(*body);
        const bool has_all = static_cast<int>(given.size()) == inputs &&
                             body->output_size() == ports.first_result + node.output_size();
        if (!has_all) return false;
        const auto first = given.begin() + (ports.carried > 0 ? ports.first_input : 0);
        ports.parameters.assign(first, first + ports.carried);
    }
    if (node.op_type() != "Scan") return true;
    return std::all_of(std::begin(kJoinLists), std::end(kJoinLists), [&](std::string_view name) {
        const AttributeProto* list = find(node, name);
        return list == nullptr || list->ints_size() == node.output_size() - ports.carried;
    });
}

// Removes those of `count` elements from `first` on that aren't needed.
template <typename List>
void remove_at(List& list, int first, int count, const std::vector<bool>& is_needed) {
    keep_if(list, [&](int i) {
        return i < first || i >= first + count || is_needed[static_cast<std::size_t>(i - first)];
    });
}

}  // namespace

std::optional<BodyPorts> find_body_ports(NodeProto& node) {
    if (!node.domain().empty() && node.domain() != "ai.onnx") return std::nullopt;
    BodyPorts ports;
    std::vector<std::string_view> names = {"body"};
    if (node.op_type() == "If") {
        names = {"then_branch", "else_branch"};
    } else if (node.op_type() == "Loop") {
        ports = ports_of_loop(node);
    } else if (node.op_type() == "Scan") {
        ports = ports_of_scan(node);
    } else {
        return std::nullopt;
    }
    for (const std::string_view name : names) {
        AttributeProto* body = find(node, name);
        if (body == nullptr || !body->has_g()) return std::nullopt;
        ports.bodies.push_back(body->mutable_g());
    }
    const auto graphs = std::count_if(node.attribute().begin(), node.attribute().end(),
                                      [](const auto& one) { return one.has_g(); });
    if (graphs != static_cast<std::ptrdiff_t>(names.size())) return std::nullopt;
    if (!fits(node, ports)) return std::nullopt;
    return ports;
}

void remove_outputs(NodeProto& node, const BodyPorts& ports, const std::vector<bool>& is_needed) {
    const int outputs = node.output_size();
    for (GraphProto* body : ports.bodies) {
        remove_at(*body->mutable_output(), ports.first_result, outputs, is_needed);
        std::vector<bool> is_kept(static_cast<std::size_t>(body->input_size()), true);
        for (std::size_t i = 0; i < ports.parameters.size(); ++i) {
            is_kept[static_cast<std::size_t>(ports.parameters[i])] = is_needed[i];
        }
        remove_at(*body->mutable_input(), 0, body->input_size(), is_kept);
    }
    if (ports.carried > 0) {
        remove_at(*node.mutable_input(), ports.first_input, ports.carried, is_needed);
    }
    const std::vector<bool> joined(is_needed.begin() + ports.carried, is_needed.end());
    for (const std::string_view name : kJoinLists) {
        AttributeProto* list = node.op_type() == "Scan" ? find(node, name) : nullptr;
        if (list == nullptr) continue;
        remove_at(*list->mutable_ints(), 0, outputs - ports.carried, joined);
    }
    remove_at(*node.mutable_output(), 0, outputs, is_needed);
}

}  // namespace rondo::onnx
