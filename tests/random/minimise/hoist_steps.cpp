// Moves nodes of bodies that don't depend on them before them.
#include <algorithm>

#include "tests/random/minimise/graph_parts.hpp"
#include "tests/random/minimise/steps.hpp"

namespace rondo::test {
namespace {

using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;

// A node of the body reads nothing of it except initializers, and its values are no outputs.
bool is_free(const GraphProto& body, const NodeProto& node) {
    std::vector<std::string> values;
    for (const auto& input : body.input()) values.push_back(input.name());
    for (const auto& other : body.node()) {
        values.insert(values.end(), other.output().begin(), other.output().end());
    }
    std::erase(values, "");
    const bool is_bound = std::any_of(values.begin(), values.end(),
                                      [&](const auto& value) { return reads(node, value); });
    return !is_bound && std::none_of(node.output().begin(), node.output().end(),
                                     [&](const auto& value) { return is_output(body, value); });
}

void move_initializers(GraphProto& body, const NodeProto& node, GraphProto& graph) {
    for (int at = body.initializer_size() - 1; at >= 0; --at) {
        if (!reads(node, body.initializer(at).name())) continue;
        *graph.add_initializer() = body.initializer(at);
        erase_at(*body.mutable_initializer(), at);
    }
}

void hoist(GraphProto& graph, int control, std::size_t number, int at) {
    GraphProto& body = *bodies_of(*graph.mutable_node(control))[number];
    const NodeProto node = body.node(at);
    erase_at(*body.mutable_node(), at);
    move_initializers(body, node, graph);
    insert_node(graph, control, node);
}

}  // namespace

std::vector<Edit> hoist_nodes(Candidate candidate) {
    std::vector<Edit> edits;
    const auto graphs = all_graphs(candidate);
    const auto add = [&](const Place& place, std::size_t number, const GraphProto& body) {
        for (int at = 0; at < body.node_size(); ++at) {
            if (!is_free(body, body.node(at))) continue;
            edits.emplace_back([place, number, at](Candidate& changed) {
                hoist(*all_graphs(changed)[place.graph], place.node, number, at);
            });
        }
    };
    for (const Place& place : nodes_with_bodies(candidate)) {
        const auto bodies = bodies_of(*graphs[place.graph]->mutable_node(place.node));
        for (std::size_t number = 0; number < bodies.size(); ++number) {
            add(place, number, *bodies[number]);
        }
    }
    return edits;
}

}  // namespace rondo::test
