#include "core/graph/validator.hpp"

#include <set>
#include <tuple>
#include <unordered_set>

#include "core/support/check.hpp"

namespace rondo {
namespace {

void check_that(bool holds, const Node& node, const std::string& message) {
    if (!holds) internal_error(describe(node) + ": " + message);
}

// An input port as its producer lists it.
using Link = std::tuple<const Node*, std::size_t, const Node*, std::size_t>;

// What the producers of a graph say of their consumers.
std::set<Link> listed_links(const std::vector<NodePtr>& nodes) {
    std::set<Link> links;
    for (const auto& node : nodes) {
        for (std::size_t i = 0; i < node->output_count(); ++i) {
            for (const Consumer& consumer : node->consumers(i)) {
                links.insert({node.get(), i, consumer.node, consumer.input});
            }
        }
    }
    return links;
}

void check_ports(const Node& node, const std::set<Link>& links) {
    for (std::size_t i = 0; i < node.input_count(); ++i) {
        const Output& source = node.input(i);
        check_that(links.contains({&source.node(), source.index(), &node, i}), node,
                   "input " + std::to_string(i) + " is not known to its producer");
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
    const auto nodes = graph.ordered_nodes();
    const auto links = listed_links(nodes);
    const std::set<NodePtr> parameters(graph.parameters().begin(), graph.parameters().end());
    const std::set<NodePtr> sinks(graph.sinks().begin(), graph.sinks().end());
    for (const auto& node : nodes) {
        check_that(!node->name().empty(), *node, "has no name");
        check_that(names.insert(node->name()).second, *node, "another node has this name");
        check_that(node->type_name() != "Parameter" || parameters.contains(node), *node,
                   "is not among the graph's parameters");
        check_that(node->type_name() != "Assign" || sinks.contains(node), *node,
                   "is not among the graph's sinks");
        check_ports(*node, links);
        check_inference(*node);
        for (const GraphPtr& body : node->bodies()) check_graph(*body);
    }
}

}  // namespace rondo
