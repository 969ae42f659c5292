#include "rondo/graph_builder.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/graph/graph.hpp"
#include "core/graph/printer.hpp"
#include "core/ir/composed_ops.hpp"
#include "core/ir/layer_node.hpp"
#include "core/ops/op_list.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "core/support/api_boundary.hpp"
#include "core/support/errors.hpp"
#include "core/support/strings.hpp"
#include "core/support/unique_names.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

const NodePtr& filled(const NodePtr& node) {
    if (node == nullptr) throw ModelError("the node is empty; make one with make_node()");
    return node;
}

const Graph& filled(const Model& model) {
    if (model.graph() == nullptr) throw ModelError("the model is empty");
    return *model.graph();
}

void check_port(const Node& node, const char* kind, std::size_t count, std::size_t index) {
    if (index < count) return;
    throw ModelError(describe(node) + " has no " + kind + " " + std::to_string(index) +
                     "; there are " + std::to_string(count));
}

std::vector<Output> sources_of(const std::vector<GraphOutput>& inputs) {
    std::vector<Output> sources;
    for (const auto& input : inputs) {
        const NodePtr& node = filled(input.node().node());
        check_port(*node, "output", node->output_count(), input.index());
        // A Result passes its input on: what reads it reads that.
        const bool is_result = as<ops::Result>(node) != nullptr;
        sources.push_back(is_result ? node->input(0) : Output(node, input.index()));
    }
    return sources;
}

std::string place_of(const std::string& name, const std::string& type) {
    return "node '" + name + "' (" + type + ")";
}

AttributeTexts defaults_of(const ops::OpEntry& op) { return attributes_of(*op.make()); }

std::optional<ops::PartRange> range_of(const std::optional<BodyRange>& range) {
    if (!range) return std::nullopt;
    return ops::PartRange{range->axis, range->start, range->stride, range->part_size, range->end};
}

ops::BodyPorts ports_of(const BodyParts& parts) {
    ops::BodyPorts ports;
    for (const auto& port : parts.inputs) {
        ports.inputs.push_back({port.input, port.parameter, range_of(port.slice), port.back_edge});
    }
    for (const auto& port : parts.outputs) {
        ports.outputs.push_back({port.output, port.result, range_of(port.concat)});
    }
    return ports;
}

void set_bodies(ops::BodyOp& op, const BodyNodeParts& parts) {
    const std::vector<std::string> names = op.body_names();
    std::vector<ir::LayerBody> bodies(parts.bodies.size());
    for (std::size_t i = 0; i < std::min(bodies.size(), names.size()); ++i) {
        if (!parts.bodies[i].body) throw ModelError("<" + names[i] + "> is missing");
        bodies[i] = {filled(parts.bodies[i].body).clone(), ports_of(parts.bodies[i])};
    }
    ir::set_bodies(op, bodies, {parts.iteration, parts.condition});
}

template <typename Op>
std::vector<NodePtr> nodes_of(const std::vector<GraphNode>& nodes, const char* kind) {
    std::vector<NodePtr> found;
    for (const auto& node : nodes) {
        const NodePtr& one = filled(node.node());
        if (dynamic_cast<const Op*>(one.get()) == nullptr) {
            throw ModelError(describe(*one) + " is not of type " + kind);
        }
        if (std::find(found.begin(), found.end(), one) != found.end()) {
            throw ModelError(describe(*one) + " is given twice");
        }
        found.push_back(one);
    }
    return found;
}

constexpr const char* kSinkName = "/sink_port_";

// A Result that has a name of its own gives it to an output without one, as in OpenVINO. An input
// of the model keeps its name.
void name_after_result(Output& source, const Node& result) {
    const bool is_own = result.name().find(kSinkName) == std::string::npos;
    const bool is_input = as<ops::Parameter>(source.node_ptr()) != nullptr;
    if (result.name().empty() || !is_own || is_input || !source.names().empty()) return;
    source.set_names({result.name()});
}

std::vector<NodePtr> results_of(const std::vector<GraphOutput>& outputs) {
    std::vector<NodePtr> results;
    std::vector<Output> sources = sources_of(outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const NodePtr& node = outputs[i].node().node();
        const bool is_new = std::find(results.begin(), results.end(), node) == results.end();
        if (is_new && as<ops::Result>(node) != nullptr) {
            name_after_result(sources[i], *node);
            results.push_back(node);
            continue;
        }
        const auto result = make_node<ops::Result>(sources[i]);
        result->set_name(sources[i].node().name() + kSinkName + std::to_string(sources[i].index()));
        results.push_back(result);
    }
    return results;
}

void check_parameters(const Graph& graph, const std::vector<NodePtr>& nodes) {
    const auto& known = graph.parameters();
    for (const auto& node : nodes) {
        if (as<ops::Parameter>(node) == nullptr) continue;
        if (std::find(known.begin(), known.end(), node) != known.end()) continue;
        throw ModelError(describe(*node) + " is needed, but isn't among the model's parameters");
    }
}

// An Assign that a result needs is a sink, listed or not, as it is when the model's file is read.
void add_sinks(Graph& graph, const std::vector<NodePtr>& nodes) {
    const std::vector<NodePtr> listed = graph.sinks();
    for (const auto& node : nodes) {
        if (dynamic_cast<const ops::AssignBase*>(node.get()) == nullptr) continue;
        if (std::find(listed.begin(), listed.end(), node) == listed.end()) graph.add_sink(node);
    }
}

// In a file, each node has a name of its own.
void make_names_unique(const std::vector<NodePtr>& nodes) {
    UniqueNames taken;
    for (const auto& node : nodes) taken.insert(node->name());
    std::unordered_set<std::string> given{""};
    for (const auto& node : nodes) {
        if (given.insert(node->name()).second) continue;
        const bool has_name = !node->name().empty();
        node->set_name(
            taken.take_numbered(has_name ? node->name() : std::string(node->type_name())));
    }
}

std::vector<GraphNode> handles_of(const std::vector<NodePtr>& nodes) {
    std::vector<GraphNode> handles;
    for (const auto& node : nodes) handles.emplace_back(node);
    return handles;
}

}  // namespace

GraphNode::GraphNode(std::shared_ptr<Node> node) : node_(std::move(node)) {}

const std::string& GraphNode::name() const { return filled(node_)->name(); }

void GraphNode::set_name(const std::string& name) { filled(node_)->set_name(name); }

std::string GraphNode::type() const { return std::string(filled(node_)->type_name()); }

std::string GraphNode::opset() const { return filled(node_)->op_type().opset_name(); }

AttributeTexts GraphNode::attributes() const { return attributes_of(*filled(node_)); }

Tensor GraphNode::value() const {
    const auto constant = as<ops::Constant>(filled(node_));
    return constant == nullptr ? Tensor() : constant->value();
}

std::size_t GraphNode::input_count() const { return filled(node_)->input_count(); }

GraphOutput GraphNode::input(std::size_t index) const {
    check_port(*filled(node_), "input", input_count(), index);
    const Output& source = node_->input(index);
    return {GraphNode(source.node_ptr()), source.index()};
}

std::size_t GraphNode::output_count() const { return filled(node_)->output_count(); }

GraphOutput GraphNode::output(std::size_t index) const {
    check_port(*filled(node_), "output", output_count(), index);
    return {*this, index};
}

ElementType GraphOutput::element_type() const { return filled(node_.node())->output_type(index_); }

PartialShape GraphOutput::shape() const { return filled(node_.node())->output_shape(index_); }

std::vector<std::string> GraphOutput::names() const {
    const auto& names = filled(node_.node())->output(index_).names();
    return {names.begin(), names.end()};
}

void GraphOutput::set_names(const std::vector<std::string>& names) {
    filled(node_.node())->output(index_).set_names({names.begin(), names.end()});
}

std::vector<OpInfo> known_ops() {
    std::vector<OpInfo> infos;
    for (const ops::OpEntry& op : ops::op_list()) {
        infos.push_back({std::string(op.type->name), op.type->opset_name(), defaults_of(op)});
    }
    for (const OpType& type : ir::composed_op_types()) {
        infos.push_back({std::string(type.name), type.opset_name(), {}});
    }
    std::stable_sort(infos.begin(), infos.end(),
                     [](const OpInfo& a, const OpInfo& b) { return a.type < b.type; });
    return infos;
}

GraphNode make_node(const NodeParts& parts) {
    return at_api_boundary([&] {
        if (!ir::is_known(parts.type, parts.opset)) {
            throw UnsupportedError("no op " + ir::unsupported_text(parts.type, parts.opset));
        }
        return at_place(
            [&] { return place_of(parts.name, parts.type); },
            [&] {
                if (!ir::body_names(parts.type, parts.opset).empty()) {
                    throw ModelError("it has bodies; make_body_node() makes it");
                }
                if (equals_ignoring_case(parts.type, ops::Constant::kType.name)) {
                    throw ModelError("it has elements; make_constant() makes it");
                }
                UniqueNames names;
                names.insert(parts.name);
                return GraphNode(ir::make_layer_node({parts.type, parts.opset, parts.name,
                                                      sources_of(parts.inputs), parts.attributes},
                                                     names));
            });
    });
}

GraphNode make_constant(const Tensor& value, const std::string& name) {
    return at_api_boundary([&] {
        if (!value) throw ModelError(place_of(name, "Const") + ": the tensor is empty");
        const auto constant = std::make_shared<ops::Constant>(value);
        constant->set_name(name);
        constant->validate();
        return GraphNode(constant);
    });
}

GraphNode make_body_node(const BodyNodeParts& parts) {
    return at_api_boundary([&] {
        const ops::OpEntry* form = ops::find_op(parts.type, "opset16");
        const GraphNode node(form == nullptr ? nullptr : form->make());
        change_body_node(node, parts);
        return node;
    });
}

void change_body_node(const GraphNode& node, const BodyNodeParts& parts) {
    at_api_boundary([&] {
        at_place([&] { return place_of(parts.name, parts.type); },
                 [&] {
                     auto* op = dynamic_cast<ops::BodyOp*>(node.node().get());
                     if (op == nullptr) throw ModelError("this is not an op with bodies");
                     op->set_name(parts.name);
                     set_bodies(*op, parts);
                     op->set_inputs(sources_of(parts.inputs));
                     op->validate();
                 });
    });
}

std::vector<Model> node_bodies(const GraphNode& node) {
    return at_api_boundary([&] {
        std::vector<Model> bodies;
        for (const GraphPtr& body : filled(node.node())->bodies())
            bodies.emplace_back(body->clone());
        return bodies;
    });
}

Model make_model(const ModelParts& parts) {
    return at_api_boundary([&] {
        if (parts.results.empty() && parts.sinks.empty()) {
            throw ModelError("a model needs a result or a sink");
        }
        auto graph = std::make_shared<Graph>(
            parts.name, nodes_of<ops::Parameter>(parts.parameters, "Parameter"),
            results_of(parts.results), nodes_of<ops::AssignBase>(parts.sinks, "Assign"));
        const std::vector<NodePtr> nodes = graph->ordered_nodes();
        check_parameters(*graph, nodes);
        add_sinks(*graph, nodes);
        make_names_unique(nodes);
        ops::variables_of(*graph);  // throws if they aren't pairs
        return Model(std::move(graph));
    });
}

std::vector<GraphNode> graph_nodes(const Model& model) {
    return at_api_boundary([&] { return handles_of(filled(model).ordered_nodes()); });
}

std::vector<GraphNode> parameter_nodes(const Model& model) {
    return handles_of(filled(model).parameters());
}

std::vector<GraphNode> result_nodes(const Model& model) {
    return handles_of(filled(model).results());
}

std::vector<GraphNode> sink_nodes(const Model& model) { return handles_of(filled(model).sinks()); }

void move_readers(const GraphOutput& from, const GraphOutput& to) {
    at_api_boundary([&] {
        Output source = filled(from.node().node())->output(from.index());
        Output target = filled(to.node().node())->output(to.index());
        if (source.element_type() != target.element_type() || source.shape() != target.shape()) {
            throw ModelError("what reads " + describe(source.node()) + " can't read " +
                             describe(target.node()) + ", of another type or shape");
        }
        const auto names = source.names();
        const auto own_names = target.names();
        source.replace_with(target);
        source.set_names(names);
        target.set_names(own_names);
    });
}

}  // namespace rondo
