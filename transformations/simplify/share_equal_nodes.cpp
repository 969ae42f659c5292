#include "transformations/simplify/passes.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/graph/printer.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/pass/node_roles.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

constexpr std::size_t kMaxComparedBytes = 4096;

std::string place_of(const void* pointer) {
    return std::to_string(reinterpret_cast<std::uintptr_t>(pointer));
}

// A constant -> the first one that is equal to it. Equal constants make their readers equal, but
// stay apart themselves: each has a name, and in the IR they share their bytes anyway.
using EqualConstants = std::unordered_map<const Node*, const Node*>;

// Everything that a node's outputs depend on; texts are separated by lines.
std::string key_of(const Node& node, const EqualConstants& equal) {
    std::string key(node.type_name());
    key += "-" + node.op_type().opset_name();
    for (const auto& input : node.inputs()) {
        const auto at = equal.find(&input.node());
        const Node* source = at == equal.end() ? &input.node() : at->second;
        key += " " + place_of(source) + "." + std::to_string(input.index());
    }
    for (const auto& [name, value] : attributes_of(node)) key += "\n" + name + "=" + value;
    for (const auto& [name, value] : node.rt_info()) key += "\n" + name + ":" + value;
    if (const auto* constant = dynamic_cast<const ops::Constant*>(&node)) {
        const Tensor& value = constant->value();
        key += "\n";
        if (value.byte_size() <= kMaxComparedBytes) {
            key.append(static_cast<const char*>(value.data()), value.byte_size());
        } else {
            key += place_of(value.data());
        }
    }
    return key;
}

bool may_be_shared(const Node& node) {
    if (!node.bodies().empty()) return false;  // equal ports don't say what the bodies compute
    if (node.traits().random) return false;
    if (dynamic_cast<const ops::Parameter*>(&node) || dynamic_cast<const ops::Result*>(&node)) {
        return false;
    }
    const auto attributes = attributes_of(node);
    return std::none_of(attributes.begin(), attributes.end(),
                        [](const auto& attribute) { return attribute.first == "variable_id"; });
}

bool can_merge(Node& old, Node& by, const Rewriter& rewriter) {
    for (std::size_t i = 0; i < old.output_count(); ++i) {
        if (!rewriter.can_replace(old.output(i), by.output(i))) return false;
    }
    return true;
}

void replace_all(Node& old, Node& by, Rewriter& rewriter) {
    for (std::size_t i = 0; i < old.output_count(); ++i) {
        if (!old.consumers(i).empty()) rewriter.replace(old.output(i), by.output(i));
    }
}

}  // namespace

bool share_equal_nodes(Graph& graph) {
    Rewriter rewriter(graph);
    std::unordered_map<std::string, NodePtr> first_of;
    EqualConstants equal;
    rewriter.for_each<Node>([&](const auto& node) {
        if (!may_be_shared(*node)) return;
        const auto [at, is_first] = first_of.emplace(key_of(*node, equal), node);
        if (is_constant(*node)) {
            equal.emplace(node.get(), at->second.get());
        } else if (!is_first && can_merge(*node, *at->second, rewriter)) {
            replace_all(*node, *at->second, rewriter);
        }
    });
    return rewriter.changed();
}

}  // namespace rondo::passes
