#include "core/graph/origins.hpp"

#include <vector>

namespace rondo {
namespace {

bool is_result(const Node& node) { return node.type_name() == "Result"; }

// That of the first reader which has one. A Result is an output of the file, which says
// less.
NodeOriginPtr origin_of_readers(const Node& node, bool of_results) {
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        for (const Consumer& consumer : node.consumers(i)) {
            if (is_result(*consumer.node) != of_results) continue;
            if (auto origin = origin_to_share(*consumer.node)) return origin;
        }
    }
    return nullptr;
}

NodeOriginPtr origin_of_inputs(const Node& node) {
    for (const Output& input : node.inputs()) {
        if (auto origin = origin_to_share(input.node())) return origin;
    }
    return nullptr;
}

template <typename Find>
void fill(const NodePtr& node, const Find& find) {
    if (!node->origin()) node->set_origin(find(*node));
}

void inherit_from(Graph& graph, const NodeOriginPtr& owner) {
    const auto nodes = graph.ordered_nodes();
    for (auto at = nodes.rbegin(); at != nodes.rend(); ++at) {
        fill(*at, [](const Node& node) { return origin_of_readers(node, false); });
    }
    for (const NodePtr& node : nodes) {
        fill(node, [](const Node& each) { return origin_of_inputs(each); });
        fill(node, [](const Node& each) { return origin_of_readers(each, true); });
        fill(node, [&](const Node&) { return owner; });
        if (node->bodies().empty()) continue;
        const NodeOriginPtr origin = origin_to_share(*node);
        for (const GraphPtr& body : node->bodies()) inherit_from(*body, origin);
    }
}

}  // namespace

void give_origin(const Output& value, const NodeOriginPtr& origin) {
    give_origin(std::span(&value, 1), origin);
}

void give_origin(std::span<const Output> values, const NodeOriginPtr& origin) {
    std::vector<Node*> pending;
    for (const Output& value : values) {
        if (value) pending.push_back(&value.node());
    }
    while (!pending.empty()) {
        Node& node = *pending.back();
        pending.pop_back();
        if (node.origin()) continue;
        node.set_origin(origin);
        for (const Output& input : node.inputs()) pending.push_back(&input.node());
    }
}

void stand_for(Node& made, const Node& other) {
    made.set_name(other.name());
    made.set_origin(origin_to_share(other));
}

void claim_origins(Graph& graph) {
    for_each_graph(graph, [](Graph& part) {
        for (const NodePtr& node : part.ordered_nodes()) {
            if (!node->origin()) node->set_origin(NodeOrigin::itself());
        }
    });
}

void inherit_origins(Graph& graph) { inherit_from(graph, nullptr); }

}  // namespace rondo
