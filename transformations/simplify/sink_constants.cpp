#include "transformations/simplify/passes.hpp"

#include <algorithm>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/pass/node_roles.hpp"

namespace rondo::passes {
namespace {

// The parameters that a constant replaces, now that it has.
std::vector<bool> replace_parameters(const ops::BodyOp& op, std::size_t body) {
    const Graph& graph = *op.bodies()[body];
    std::vector<bool> gone(graph.parameters().size());
    for (const auto& port : op.ports(body).inputs) {
        const Output& input = op.input(port.input);
        if (!is_constant(input) || port.slice || port.back_edge) continue;
        const NodePtr& parameter = graph.parameters()[port.parameter];
        const auto own = make_node<ops::Constant>(known_value(input));
        own->set_name(parameter->name());
        parameter->output(0).replace_with(own);
        gone[port.parameter] = true;
    }
    return gone;
}

// The numbers of what stays, where some are gone.
std::vector<std::size_t> renumbered(const std::vector<bool>& gone) {
    std::vector<std::size_t> numbers;
    std::size_t next = 0;
    for (const bool is_gone : gone) numbers.push_back(is_gone ? next : next++);
    return numbers;
}

bool sink_into(ops::BodyOp& op, std::size_t body) {
    const std::vector<bool> gone = replace_parameters(op, body);
    if (std::find(gone.begin(), gone.end(), true) == gone.end()) return false;
    const auto numbers = renumbered(gone);
    const GraphPtr old = op.bodies()[body];
    std::vector<NodePtr> parameters;
    for (std::size_t i = 0; i < gone.size(); ++i) {
        if (!gone[i]) parameters.push_back(old->parameters()[i]);
    }
    ops::BodyPorts ports = op.ports(body);
    std::erase_if(ports.inputs, [&](const auto& port) { return gone[port.parameter]; });
    for (auto& port : ports.inputs) port.parameter = numbers[port.parameter];
    if (auto* loop = dynamic_cast<ops::Loop*>(&op)) {
        ops::LoopPorts special{loop->iteration_parameter(), loop->condition_result()};
        if (special.iteration) special.iteration = numbers[*special.iteration];
        loop->set_special_ports(special);
    }
    auto graph = std::make_shared<Graph>(old->name(), std::move(parameters), old->results());
    graph->rt_info() = old->rt_info();
    op.set_body(body, std::move(graph), std::move(ports));
    return true;
}

// The first inputs are the op's own: a condition, or a trip count and a condition.
std::size_t own_inputs(const ops::BodyOp& op) {
    if (dynamic_cast<const ops::If*>(&op) != nullptr) return 1;
    return dynamic_cast<const ops::Loop*>(&op) != nullptr ? 2 : 0;
}

void drop_unread_inputs(ops::BodyOp& op) {
    std::vector<bool> gone(op.input_count(), true);
    std::fill_n(gone.begin(), own_inputs(op), false);
    for (std::size_t body = 0; body < op.bodies().size(); ++body) {
        for (const auto& port : op.ports(body).inputs) gone[port.input] = false;
    }
    const auto numbers = renumbered(gone);
    std::vector<Output> inputs;
    for (std::size_t i = 0; i < gone.size(); ++i) {
        if (!gone[i]) inputs.push_back(op.input(i));
    }
    for (std::size_t body = 0; body < op.bodies().size(); ++body) {
        ops::BodyPorts ports = op.ports(body);
        for (auto& port : ports.inputs) port.input = numbers[port.input];
        op.set_ports(body, std::move(ports));
    }
    op.set_inputs(std::move(inputs));
}

}  // namespace

bool sink_constants(Graph& graph) {
    bool changed = false;
    for (const auto& node : graph.ordered_nodes()) {
        auto* op = dynamic_cast<ops::BodyOp*>(node.get());
        if (op == nullptr) continue;
        bool sunk = false;
        for (std::size_t i = 0; i < op->bodies().size(); ++i) sunk = sink_into(*op, i) || sunk;
        if (sunk) drop_unread_inputs(*op);
        changed = changed || sunk;
    }
    return changed;
}

}  // namespace rondo::passes
