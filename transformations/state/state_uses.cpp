#include "transformations/state/state_uses.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/ops/control/loop.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/state/state_starts.hpp"

namespace rondo::passes {
namespace {

using Kind = StateUse::Kind;
using InputPort = std::pair<const Node*, std::size_t>;

// Ports still to be looked at, each once.
class Ports {
public:
    bool empty() const { return open_.empty(); }
    void push(const Node& node, std::size_t output) {
        if (seen_.insert({&node, output}).second) open_.emplace_back(&node, output);
    }
    void push(const Output& output) { push(output.node(), output.index()); }
    InputPort pop() {
        const InputPort port = open_.back();
        open_.pop_back();
        return port;
    }

private:
    std::vector<InputPort> open_;
    std::set<InputPort> seen_;
};

// ---- down from an input

// What is walked over step by step is data.
bool is_walked_over(const Node& node, std::size_t input) {
    if (const auto* op = as_op<ops::RecurrentOp>(node)) return input == op->x_port();
    const auto* loop = as_op<ops::TensorIterator>(node);
    if (loop == nullptr) return false;
    const auto& ports = loop->body_ports().inputs;
    return std::any_of(ports.begin(), ports.end(), [&](const ops::BodyInput& port) {
        return port.input == input && port.slice;
    });
}

void enter(const ops::BodyOp& op, std::size_t input, Ports& ports, StateUses& uses) {
    const bool repeats = dynamic_cast<const ops::IteratedOp*>(&op) != nullptr;
    const bool walks = as_op<ops::TensorIterator>(op) != nullptr;
    for (std::size_t body = 0; body < op.bodies().size(); ++body) {
        for (const ops::BodyInput& port : op.ports(body).inputs) {
            if (port.input != input || port.slice) continue;
            if (walks && port.back_edge) uses.insert({&op, Kind::carried, *port.back_edge});
            if (!repeats) ports.push(*op.bodies()[body]->parameters()[port.parameter], 0);
        }
    }
}

void follow(const Node& node, std::size_t input, Ports& ports, StateUses& uses) {
    if (const auto* op = as_op<ops::RecurrentOp>(node)) {
        if (input == op->h_port()) uses.insert({op, Kind::hidden});
        if (input == op->c_port()) uses.insert({op, Kind::cell});
    }
    if (const auto* op = as_op<ops::BodyOp>(node)) enter(*op, input, ports, uses);
    if (input >= moved_inputs(node)) return;
    const bool is_before_others = input + 1 < node.input_count();
    if (is_before_others && as_op<ops::Concat>(node) != nullptr) uses.insert({&node, Kind::window});
    for (std::size_t i = 0; i < node.output_count(); ++i) ports.push(node, i);
}

// ---- up from an output

// What the parameters of bodies are outside of them.
using Outside = std::map<const Node*, Output>;

void collect(const Graph& graph, Outside& outside) {
    for (const auto& node : graph.ordered_nodes()) {
        const auto op = as<ops::BodyOp>(node);
        if (!op) continue;
        for (std::size_t body = 0; body < op->bodies().size(); ++body) {
            for (const ops::BodyInput& port : op->ports(body).inputs) {
                if (port.slice || port.back_edge) continue;
                const auto& parameter = op->bodies()[body]->parameters()[port.parameter];
                outside.emplace(parameter.get(), op->input(port.input));
            }
            collect(*op->bodies()[body], outside);
        }
    }
}

void leave_bodies(const ops::BodyOp& op, std::size_t output, Ports& ports, StateUses& uses) {
    const auto* loop = dynamic_cast<const ops::IteratedOp*>(&op);
    const bool walks = as_op<ops::TensorIterator>(op) != nullptr;
    for (std::size_t body = 0; body < op.bodies().size(); ++body) {
        for (const ops::BodyOutput& port : op.ports(body).outputs) {
            if (port.output != output || port.concat) continue;
            if (loop == nullptr) {
                ports.push(op.bodies()[body]->results()[port.result]->input(0));
            } else if (walks && loop->carried_by(port.result) != nullptr) {
                uses.insert({&op, Kind::carried, port.result});
            }
        }
    }
}

void add_last_state(const ops::RecurrentOp& op, std::size_t output, StateUses& uses) {
    const std::size_t hidden = op.is_sequence() ? 1 : 0;
    if (output == hidden) uses.insert({&op, Kind::hidden});
    if (output == hidden + 1) uses.insert({&op, Kind::cell});
}

// Whether the op takes a part of its data along that axis: no axis of an output holds all its rows.
bool cuts_along(const Node& node, std::size_t axis) {
    for (const Output& input : node.inputs()) {
        if (!input.shape().has_rank()) return false;
    }
    for (std::size_t output = 0; output < node.output_count(); ++output) {
        if (!node.output_shape(output).has_rank()) return false;
        for (std::size_t i = 0; i < node.output_shape(output).rank(); ++i) {
            const auto rows = node.independent_axis(output, i);
            if (rows && rows->inputs[0] == axis) return false;
        }
    }
    return true;
}

std::optional<std::size_t> joined_axis(const Node& node) {
    const auto* op = as_op<ops::Concat>(node);
    if (op == nullptr || !node.output_shape(0).has_rank()) return {};
    const auto axes = normalized_axes({op->axis()}, node.output_shape(0).rank());
    return axes ? std::optional(axes->front()) : std::nullopt;
}

// The Concats of whose result, or of whose operand, the node takes a part.
void add_windows(const Node& node, StateUses& uses) {
    const Output& data = node.input(0);
    const auto add = [&](const Node& joined) {
        const auto axis = joined_axis(joined);
        if (axis && cuts_along(node, *axis)) uses.insert({&joined, Kind::window});
    };
    add(data.node());
    for (const Consumer& reader : data.consumers()) add(*reader.node);
}

}  // namespace

StateUses uses_of_input(const Node& parameter) {
    StateUses uses;
    Ports ports;
    ports.push(parameter, 0);
    while (!ports.empty()) {
        const auto [node, output] = ports.pop();
        for (const Consumer& reader : node->consumers(output)) {
            if (is_walked_over(*reader.node, reader.input)) return {};
            follow(*reader.node, reader.input, ports, uses);
        }
    }
    return uses;
}

StateUses uses_of_output(const Graph& graph, const Node& result) {
    Outside outside;
    collect(graph, outside);
    StateUses uses;
    Ports ports;
    ports.push(result.input(0));
    while (!ports.empty()) {
        const auto [node, output] = ports.pop();
        if (const auto* op = as_op<ops::RecurrentOp>(*node)) add_last_state(*op, output, uses);
        if (const auto* op = as_op<ops::BodyOp>(*node)) leave_bodies(*op, output, ports, uses);
        if (const auto at = outside.find(node); at != outside.end()) ports.push(at->second);
        const std::size_t moved = moved_inputs(*node);
        if (moved == 1 && !node->traits().view) add_windows(*node, uses);
        for (std::size_t i = 0; i < moved; ++i) ports.push(node->input(i));
    }
    return uses;
}

}  // namespace rondo::passes
