#include "transformations/pass/rewriter.hpp"

#include "core/graph/origins.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/errors.hpp"
#include "transformations/pass/node_roles.hpp"

namespace rondo::passes {
namespace {

// No node has this name: it says that the others are known.
const std::string kCollected(1, '\0');

// Swapped, not copied: the old node may live on through another output.
void swap_names(Node& a, Node& b) {
    std::string name = a.name();
    a.set_name(b.name());
    b.set_name(std::move(name));
}

}  // namespace

Rewriter::Rewriter(Graph& graph) : graph_(graph) {
    for (const auto& node : graph.sinks()) sinks_.insert(node.get());
    for (const auto& node : graph.results()) {
        const Output& source = node->input(0);
        result_ports_[&source.node()].insert(source.index());
    }
}

bool Rewriter::feeds_result(const Output& output) const {
    const auto ports = result_ports_.find(&output.node());
    return ports != result_ports_.end() && ports->second.contains(output.index());
}

bool Rewriter::any_output_feeds_result(const Node& node) const {
    return result_ports_.contains(&node);
}

void Rewriter::move_results(const Output& old, const Output& by) {
    const auto ports = result_ports_.find(&old.node());
    if (ports == result_ports_.end() || ports->second.erase(old.index()) == 0) return;
    if (ports->second.empty()) result_ports_.erase(ports);
    result_ports_[&by.node()].insert(by.index());
}

// Most runs of a pass make no node: the names are collected for the first one. From then on nodes
// without an origin are those that the pass has made; a graph in which none has one is the user's.
void Rewriter::adopt(Node& node, const std::string& name) {
    if (names_.insert(kCollected)) {
        bool has_origins = false;
        for (const auto& known : graph_.ordered_nodes()) {
            names_.insert(known->name());
            has_origins = has_origins || known->origin();
        }
        if (!has_origins) claim_origins(graph_);
    }
    node.set_name(names_.take(name));
    fresh_.insert(&node);
}

Output Rewriter::make_ints(const std::string& name, const std::vector<std::int64_t>& values) {
    auto node = ops::make_i64(values, name);
    adopt(*node, name);
    return node;
}

Output Rewriter::make_constant(const std::string& name, Tensor value) {
    return make<ops::Constant>(name, std::move(value));
}

NodePtr Rewriter::clone(const Node& node, std::vector<Output> inputs) {
    auto copy = node.clone_with(std::move(inputs));
    adopt(*copy, node.name());
    return copy;
}

bool Rewriter::can_replace(const Output& old, const Output& by) const {
    return !feeds_result(old) || (!is_parameter(by) && !feeds_result(by));
}

// A clone has the origin of what it was cloned from.
void Rewriter::hand_over_origin(const Node& old, const Output& by) {
    const bool is_made = fresh_.contains(&by.node()) && !by.node().origin();
    if (is_made) give_origin(by, origin_to_share(old));
}

void Rewriter::hand_over_names(const Output& old, const Output& by) {
    const bool fresh = fresh_.contains(&by.node());
    if (feeds_result(old)) {
        // The model's output keeps exactly its own names, whatever the new port was called.
        if (fresh || !any_output_feeds_result(by.node())) swap_names(old.node(), by.node());
        by.set_names({});
    } else if (fresh) {
        // A further output of a node with several keeps its name apart.
        if (old.index() == 0) swap_names(old.node(), by.node());
    } else if (is_parameter(by) || feeds_result(by)) {
        old.set_names({});  // no input or output of the model gets names of something inside
    }
    if (fresh) by.node().rt_info().insert(old.node().rt_info().begin(), old.node().rt_info().end());
}

void Rewriter::replace(const Output& old, const Output& by) {
    internal_check(can_replace(old, by), "a replacement takes a model's output its name");
    internal_check(old.element_type() == by.element_type(), "a replacement changes the type");
    hand_over_origin(old.node(), by);
    hand_over_names(old, by);
    old.replace_with(by);
    move_results(old, by);
    // Only the first replaced output names a new node; the next one must not rename it.
    fresh_.erase(&by.node());
    changed_ = true;
    drop_if_unused(old.node_ptr());
}

void Rewriter::inherit_name(const NodePtr& old, Node& made) const {
    if (dead_.contains(old) && !any_output_feeds_result(made)) swap_names(*old, made);
}

bool Rewriter::is_kept(const Node& node) const {
    return is_result(node) || is_parameter(node) || sinks_.contains(&node);
}

// A dead node is cut from its inputs at once: it no longer counts among their consumers.
void Rewriter::drop_if_unused(NodePtr node) {
    std::vector<NodePtr> pending{std::move(node)};
    while (!pending.empty()) {
        const NodePtr next = std::move(pending.back());
        pending.pop_back();
        if (next->has_consumers() || is_kept(*next) || !dead_.insert(next).second) continue;
        const std::vector<Output> inputs = next->inputs();
        next->set_inputs({});
        for (const auto& input : inputs) pending.push_back(input.node_ptr());
    }
}

}  // namespace rondo::passes
