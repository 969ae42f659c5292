#include "core/graph/inference.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"
#include "core/graph/port_forms.hpp"
#include "core/support/errors.hpp"

namespace rondo {
namespace {

constexpr std::size_t kMostExtents = 64;

std::vector<Dimension> extents_in(const Tensor& value) {
    if (value.shape().size() > 1 || value.size() > kMostExtents) return {};
    const auto numbers = to_int64_vector(value);
    if (std::ranges::any_of(numbers, [](std::int64_t number) { return number < 0; })) return {};
    return {numbers.begin(), numbers.end()};
}

}  // namespace

std::vector<Dimension> known_extents(const Output& value, int steps) {
    const ElementType type = value.element_type();
    const PartialShape& shape = value.shape();
    if (type != ElementType::i64 && type != ElementType::i32) return {};
    if (!shape.has_rank() || shape.rank() > 1) return {};
    if (const Tensor known = known_value(value)) return extents_in(known);
    if (steps == kMostExtentSteps) return {};
    auto extents = value.node().known_extents(value.index(), steps + 1);
    if (extents.size() > kMostExtents) extents.clear();
    return extents;
}

namespace {

using Known = std::unordered_map<const Node*, std::vector<InferInput>>;

// A node without inputs knows its own elements. The elements of ShapeOf follow from `inputs`: its
// known_value() would use the shapes that the graph holds.
Tensor value_of(const Node& node, std::size_t output, const std::vector<InferInput>& inputs,
                const InferOutput& inferred) {
    if (inputs.empty()) return node.known_value(output);
    if (node.type_name() != "ShapeOf" || !inputs[0].shape.is_static()) return {};
    const Shape shape = inputs[0].shape.to_shape();
    Tensor value(inferred.type, {shape.size()});
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (inferred.type == ElementType::i32) {
            value.data<std::int32_t>()[i] = static_cast<std::int32_t>(shape[i]);
        } else {
            value.data<std::int64_t>()[i] = static_cast<std::int64_t>(shape[i]);
        }
    }
    return value;
}

std::vector<InferInput> infer_node(const Node& node, const Known& known) {
    std::vector<InferInput> inputs;
    for (const auto& source : node.inputs()) {
        inputs.push_back(known.at(&source.node()).at(source.index()));
    }
    InferContext context(node, inputs);
    node.check_and_infer(context);
    std::vector<InferInput> outputs;
    for (std::size_t i = 0; i < context.outputs().size(); ++i) {
        const InferOutput& output = context.outputs()[i];
        outputs.push_back({output.type, output.shape, value_of(node, i, inputs, output)});
    }
    return outputs;
}

}  // namespace

std::vector<InferInput> infer_graph(const Graph& graph, std::span<const InferInput> parameters) {
    internal_check(parameters.size() == graph.parameters().size(), "wrong number of parameters");
    Known known;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        known[graph.parameters()[i].get()] = {parameters[i]};
    }
    for (const auto& node : graph.ordered_nodes()) {
        if (!known.contains(node.get())) known[node.get()] = infer_node(*node, known);
    }
    std::vector<InferInput> results;
    for (const auto& node : graph.results()) {
        const Output& source = node->input(0);
        results.push_back(known.at(&source.node()).at(source.index()));
    }
    return results;
}

// What a node gives its op's infer(): types, shapes, known values and extents of its inputs.

void Node::check_and_infer(InferContext& context) const {
    const OpTraits facts = traits();
    for (std::size_t i = 0; i < context.input_count(); ++i) {
        const ElementType type = context.type(i);
        const bool is_moved = facts.moves_elements && i < facts.data_inputs;
        if (!is_narrow(type) || facts.takes_narrow_types || is_moved) continue;
        context.refuse("input " + std::to_string(i) + " is " + std::string(to_string(type)) +
                       ", a type that is only stored, moved and converted; expected another, as "
                       "f32 or i8");
    }
    infer(context);
}

void Node::validate() {
    std::vector<InferInput> seen;
    for (const auto& source : inputs_) {
        seen.push_back({source.element_type(), source.shape(), rondo::known_value(source)});
    }
    InferContext context(*this, std::move(seen));
    context.set_extents([this](std::size_t input) { return rondo::known_extents(inputs_[input]); });
    check_and_infer(context);
    check_port_forms(context, type_name());
    validate_bodies(context);
    if (outputs_.size() < context.outputs().size()) outputs_.resize(context.outputs().size());
    for (std::size_t i = 0; i < context.outputs().size(); ++i) {
        outputs_[i].type = context.outputs()[i].type;
        outputs_[i].shape = context.outputs()[i].shape;
    }
}

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
