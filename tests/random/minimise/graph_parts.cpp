#include "tests/random/minimise/graph_parts.hpp"

#include <algorithm>

namespace rondo::test {
namespace {

using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;

void collect(GraphProto& graph, std::vector<GraphProto*>& graphs) {
    graphs.push_back(&graph);
    for (auto& node : *graph.mutable_node()) {
        for (GraphProto* body : bodies_of(node)) collect(*body, graphs);
    }
}

// True where something fell out, so that more may be unread now.
bool drop_dead_nodes(GraphProto& graph) {
    bool changed = false;
    for (int at = graph.node_size() - 1; at >= 0; --at) {
        if (is_dead(graph, graph.node(at))) {
            erase_at(*graph.mutable_node(), at);
            changed = true;
            continue;
        }
        for (GraphProto* body : bodies_of(*graph.mutable_node(at))) {
            changed = drop_dead_nodes(*body) || changed;
        }
    }
    return changed;
}

template <typename List>
void drop_unused(const GraphProto& graph, List& list) {
    for (int at = list.size() - 1; at >= 0; --at) {
        if (!is_used(graph, list.Get(at).name())) erase_at(list, at);
    }
}

}  // namespace

std::vector<GraphProto*> bodies_of(NodeProto& node) {
    std::vector<GraphProto*> bodies;
    for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) bodies.push_back(attribute.mutable_g());
    }
    return bodies;
}

GraphProto* body_named(NodeProto& node, const std::string& name) {
    for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.name() == name && attribute.has_g()) return attribute.mutable_g();
    }
    return nullptr;
}

std::vector<GraphProto*> all_graphs(Candidate& candidate) {
    std::vector<GraphProto*> graphs;
    collect(candidate.graph(), graphs);
    return graphs;
}

std::vector<Place> nodes_with_bodies(Candidate& candidate) {
    std::vector<Place> places;
    const auto graphs = all_graphs(candidate);
    for (std::size_t graph = 0; graph < graphs.size(); ++graph) {
        for (int node = 0; node < graphs[graph]->node_size(); ++node) {
            if (bodies_of(*graphs[graph]->mutable_node(node)).empty()) continue;
            places.push_back({graph, node});
        }
    }
    return places;
}

std::size_t count_nodes(const GraphProto& graph) {
    std::size_t count = 0;
    for (const auto& node : graph.node()) {
        ++count;
        for (const auto& attribute : node.attribute()) {
            if (attribute.has_g()) count += count_nodes(attribute.g());
        }
    }
    return count;
}

bool reads(const NodeProto& node, const std::string& value) {
    const auto& inputs = node.input();
    if (std::find(inputs.begin(), inputs.end(), value) != inputs.end()) return true;
    return std::any_of(
        node.attribute().begin(), node.attribute().end(),
        [&](const auto& attribute) { return attribute.has_g() && reads(attribute.g(), value); });
}

bool reads(const GraphProto& graph, const std::string& value) {
    return std::any_of(graph.node().begin(), graph.node().end(),
                       [&](const NodeProto& node) { return reads(node, value); });
}

bool is_output(const GraphProto& graph, const std::string& value) {
    return std::any_of(graph.output().begin(), graph.output().end(),
                       [&](const auto& output) { return output.name() == value; });
}

bool is_used(const GraphProto& graph, const std::string& value) {
    return !value.empty() && (is_output(graph, value) || reads(graph, value));
}

bool is_dead(const GraphProto& graph, const NodeProto& node) {
    return std::none_of(node.output().begin(), node.output().end(),
                        [&](const std::string& value) { return is_used(graph, value); });
}

std::vector<std::string> made_values(const GraphProto& graph) {
    std::vector<std::string> values;
    for (const auto& input : graph.input()) values.push_back(input.name());
    for (const auto& tensor : graph.initializer()) values.push_back(tensor.name());
    for (const auto& node : graph.node()) {
        for (const auto& output : node.output()) {
            if (!output.empty()) values.push_back(output);
        }
    }
    return values;
}

void replace_reads(GraphProto& graph, const std::string& from, const std::string& to) {
    for (auto& node : *graph.mutable_node()) {
        for (auto& input : *node.mutable_input()) {
            if (input == from) input = to;
        }
        for (GraphProto* body : bodies_of(node)) replace_reads(*body, from, to);
    }
}

void insert_node(GraphProto& graph, int at, NodeProto node) {
    *graph.add_node() = std::move(node);
    for (int i = graph.node_size() - 1; i > at; --i) graph.mutable_node()->SwapElements(i, i - 1);
}

NodeProto make_node(const std::string& op, const std::vector<std::string>& inputs,
                    const std::string& output) {
    NodeProto node;
    node.set_op_type(op);
    node.set_name(op + "_" + output);
    for (const auto& input : inputs) node.add_input(input);
    node.add_output(output);
    return node;
}

void set_output(Candidate& candidate, const std::string& value) {
    candidate.graph().clear_output();
    candidate.graph().add_output()->set_name(value);
}

void drop_unread(Candidate& candidate) {
    while (drop_dead_nodes(candidate.graph())) {
    }
    for (GraphProto* graph : all_graphs(candidate))
        drop_unused(*graph, *graph->mutable_initializer());
    drop_unused(candidate.graph(), *candidate.graph().mutable_input());
    const auto values = made_values(candidate.graph());
    for (auto& run : candidate.inputs) {
        std::erase_if(run, [&](const NamedTensor& input) {
            return std::find(values.begin(), values.end(), input.name) == values.end();
        });
    }
}

}  // namespace rondo::test
