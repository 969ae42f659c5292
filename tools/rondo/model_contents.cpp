#include "model_contents.hpp"

#include <set>
#include <utility>

namespace rondo::tool {
namespace {

using Nodes = std::vector<NodeInfo>;

void visit_placed(const Nodes& nodes, const std::string& place, const VisitNodes& visit) {
    visit(nodes, place);
    for (const NodeInfo& node : nodes) {
        for (const auto& body : node.bodies) visit_placed(body.nodes, place + body.place, visit);
    }
}

std::string last_extent(const PartialShape& shape) {
    if (!shape.has_rank() || shape.rank() == 0) return "?";
    return to_string(shape[shape.rank() - 1]);
}

std::string notes_of(const NodeInfo& node) {
    std::string notes;
    const auto note = [&](const std::string& text) { notes += (notes.empty() ? "" : ", ") + text; };
    if (attribute(node, "linear_before_reset") == "true") note("linear_before_reset");
    const std::string clip = attribute(node, "clip");
    if (!clip.empty() && clip != "0") note("clip " + clip);
    if (node.opset == "rondo1") note("rondo1");
    note(attribute(node, "activations"));
    for (const auto& [key, value] : node.facts) {
        if (key == "precision") note(value);
    }
    return notes;
}

LayerSummary layer_of(const Nodes& nodes, const NodeInfo& node, const std::string& place) {
    const auto& w = node.inputs[weights_port(node)];
    const std::string direction = attribute(node, "direction");
    return {place + node.name,
            node.type,
            direction.empty() ? "-" : direction,
            last_extent(nodes[w.node].outputs[w.output].shape),
            last_extent(node.outputs[0].shape),
            notes_of(node)};
}

}  // namespace

std::string attribute(const NodeInfo& node, const std::string& name) {
    for (const auto& [key, value] : node.attributes) {
        if (key == name) return value;
    }
    return "";
}

void visit_graphs(const Nodes& nodes, const VisitNodes& visit) { visit_placed(nodes, "", visit); }

std::size_t count_nodes(const Nodes& nodes) {
    std::size_t count = 0;
    visit_graphs(nodes, [&](const Nodes& graph, const std::string&) { count += graph.size(); });
    return count;
}

OpCounts count_ops(const Nodes& nodes) {
    OpCounts counts;
    visit_graphs(nodes, [&](const Nodes& graph, const std::string& place) {
        const auto once = computed_once(graph);
        for (std::size_t i = 0; i < graph.size(); ++i) {
            if (!is_operation(graph[i])) continue;
            ++(once[i] ? counts.once : counts.by_type[graph[i].type]);
        }
        if (!place.empty()) ++counts.bodies;
    });
    return counts;
}

std::map<std::string, std::size_t> constant_bytes(const Nodes& nodes) {
    std::map<std::string, std::size_t> bytes;
    std::set<std::pair<const void*, std::size_t>> counted;
    visit_graphs(nodes, [&](const Nodes& graph, const std::string&) {
        for (const NodeInfo& node : graph) {
            if (node.type != "Const") continue;
            const bool is_known = node.constant_data != nullptr;
            const auto elements = std::pair(node.constant_data, node.constant_bytes);
            if (is_known && !counted.insert(elements).second) continue;
            bytes[std::string(to_string(node.outputs[0].element_type))] += node.constant_bytes;
        }
    });
    return bytes;
}

std::vector<LayerSummary> recurrent_layers(const Nodes& nodes) {
    std::vector<LayerSummary> layers;
    visit_graphs(nodes, [&](const Nodes& graph, const std::string& place) {
        for (const NodeInfo& node : graph) {
            if (is_recurrent(node)) layers.push_back(layer_of(graph, node, place));
        }
    });
    return layers;
}

}  // namespace rondo::tool
