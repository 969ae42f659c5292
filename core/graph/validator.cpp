#include "core/graph/validator.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/support/check.hpp"

namespace rondo {
namespace {

void check_that(bool holds, const Node& node, const std::string& message) {
    if (!holds) internal_error(describe(node) + ": " + message);
}

void check_ports(const Node& node) {
    for (std::size_t i = 0; i < node.input_count(); ++i) {
        const Output& source = node.input(i);
        check_that(source.index() < source.node().output_count(), node,
                   "input " + std::to_string(i) + " joins an output that isn't there");
        const auto& consumers = source.consumers();
        check_that(std::count(consumers.begin(), consumers.end(),
                              Consumer{const_cast<Node*>(&node), i}) == 1,
                   node, "input " + std::to_string(i) + " is not known to its producer");
    }
}

void check_inference(Node& node) {
    std::vector<std::pair<ElementType, PartialShape>> before;
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        before.emplace_back(node.output_type(i), node.output_shape(i));
    }
    node.validate();
    for (std::size_t i = 0; i < before.size(); ++i) {
        check_that(
            before[i].first == node.output_type(i) && before[i].second == node.output_shape(i),
            node,
            "output " + std::to_string(i) + " was " + to_string(before[i].second) +
                " but is inferred as " + to_string(node.output_shape(i)));
    }
}

}  // namespace

void check_graph(const Graph& graph) {
    std::unordered_set<std::string> names;
    const auto holds = [](const std::vector<NodePtr>& listed, const NodePtr& node) {
        return std::find(listed.begin(), listed.end(), node) != listed.end();
    };
    for (const auto& node : graph.ordered_nodes()) {
        check_that(!node->name().empty(), *node, "has no name");
        check_that(names.insert(node->name()).second, *node, "another node has this name");
        check_that(node->type_name() != "Parameter" || holds(graph.parameters(), node), *node,
                   "is not among the graph's parameters");
        check_that(node->type_name() != "Assign" || holds(graph.sinks(), node), *node,
                   "is not among the graph's sinks");
        check_ports(*node);
        check_inference(*node);
    }
}

}  // namespace rondo
