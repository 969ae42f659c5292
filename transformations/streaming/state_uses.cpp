#include "transformations/streaming/state_uses.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/recurrent/recognition/recognise_cell.hpp"
#include "transformations/recurrent/recognition/step_reader.hpp"
#include "transformations/streaming/starting_extent.hpp"
#include "transformations/streaming/state_starts.hpp"

namespace rondo::passes {
namespace {

using UseKind = StateUse::Kind;

// Ports still to be looked at, each once.
class Ports {
public:
    explicit Ports(const Output& first) { push(first); }

    bool empty() const { return open_.empty(); }
    void push(const Output& output) {
        if (seen_.insert({&output.node(), output.index()}).second) open_.push_back(output);
    }
    void push_outputs(Node& node) {
        for (std::size_t i = 0; i < node.output_count(); ++i) push(node.output(i));
    }
    Output pop() {
        const Output port = open_.back();
        open_.pop_back();
        return port;
    }

private:
    std::vector<Output> open_;
    std::set<std::pair<const Node*, std::size_t>> seen_;
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

// The states of a recurrent op or a TensorIterator; a Loop's rounds may be no steps.
std::vector<OpState> kept_states(const Node& op) {
    return as_op<ops::Loop>(op) == nullptr ? states_of(op) : std::vector<OpState>();
}

// Visits the branches of an If and their ports, as of bodies without loop-carried values.
template <typename Visit>
void for_each_branch(const Node& node, const Visit& visit) {
    const auto* op = as_op<ops::BodyOp>(node);
    if (op == nullptr || as_op<ops::IteratedOp>(node) != nullptr) return;
    for (std::size_t i = 0; i < op->bodies().size(); ++i) visit(*op->bodies()[i], op->ports(i));
}

void follow(Node& node, std::size_t input, Ports& ports, StateUses& uses) {
    for (const OpState& state : kept_states(node)) {
        if (state.port == input) uses.insert({&node, UseKind::state, state.last});
    }
    for_each_branch(node, [&](const Graph& branch, const ops::BodyPorts& all) {
        for (const ops::BodyInput& port : all.inputs) {
            if (port.input == input) ports.push(branch.parameters()[port.parameter]->output(0));
        }
    });
    if (input >= moved_or_converted_inputs(node)) return;
    const bool is_before_others = input + 1 < node.input_count();
    if (is_before_others && joined_axis(node)) uses.insert({&node, UseKind::window});
    ports.push_outputs(node);
}

// ---- up from an output

// What the parameters of bodies are outside of them.
using Outside = std::map<const Node*, Output>;

void collect(const Graph& graph, Outside& outside) {
    for (const auto& node : graph.ordered_nodes()) {
        for_each_branch(*node, [&](const Graph& branch, const ops::BodyPorts& all) {
            for (const ops::BodyInput& port : all.inputs) {
                outside.emplace(branch.parameters()[port.parameter].get(), node->input(port.input));
            }
            collect(branch, outside);
        });
    }
}

// Whether that output holds the last value of the state.
bool ends_in(const OpState& state, const Output& output) {
    const auto* loop = as_op<ops::IteratedOp>(output.node());
    if (loop == nullptr) return state.last == output.index();
    const auto& ports = loop->body_ports().outputs;
    return std::any_of(ports.begin(), ports.end(), [&](const ops::BodyOutput& port) {
        return port.output == output.index() && !port.concat && port.result == state.last;
    });
}

void go_back(const Output& output, Ports& ports, StateUses& uses) {
    const Node& node = output.node();
    for (const OpState& state : kept_states(node)) {
        if (ends_in(state, output)) uses.insert({&node, UseKind::state, state.last});
    }
    for_each_branch(node, [&](const Graph& branch, const ops::BodyPorts& all) {
        for (const ops::BodyOutput& port : all.outputs) {
            if (port.output == output.index()) ports.push(branch.results()[port.result]->input(0));
        }
    });
}

// Whether the op takes a part of its data along that axis: no axis of an output holds all its rows.
bool cuts_along(const Node& node, std::size_t axis) {
    const auto rows = rows_of_input(node, 0, axis);
    return rows && rows->empty();
}

// The Concats of whose result, or of whose operand, the node takes a part.
void add_windows(const Node& node, StateUses& uses) {
    const Output& data = node.input(0);
    const auto add = [&](const Node& joined) {
        const auto axis = joined_axis(joined);
        if (axis && cuts_along(node, *axis)) uses.insert({&joined, UseKind::window});
    };
    add(data.node());
    for (const Consumer& reader : data.consumers()) add(*reader.node);
}

}  // namespace

StateUses uses_of_input(const Output& input) {
    StateUses uses;
    Ports ports(input);
    while (!ports.empty()) {
        const Output port = ports.pop();
        for (const Consumer& reader : port.consumers()) {
            if (is_walked_over(*reader.node, reader.input)) return {};
            follow(*reader.node, reader.input, ports, uses);
        }
    }
    return uses;
}

StateUses uses_of_output(const Graph& graph, const Output& output) {
    Outside outside;
    collect(graph, outside);
    StateUses uses;
    Ports ports(output);
    while (!ports.empty()) {
        const Output port = ports.pop();
        const Node& node = port.node();
        go_back(port, ports, uses);
        if (const auto at = outside.find(&node); at != outside.end()) ports.push(at->second);
        const std::size_t moved = moved_or_converted_inputs(node);
        if (moved == 1 && !node.traits().view) add_windows(node, uses);
        for (std::size_t i = 0; i < moved; ++i) ports.push(node.input(i));
    }
    return uses;
}

namespace {

constexpr std::size_t kMostParts = 2;  // H and C

// The parts of the input that are computed with.
std::vector<Output> parts_read(const Output& input) {
    std::vector<Output> parts;
    Ports ports(input);
    while (!ports.empty()) {
        const Output value = ports.pop();
        for (const Consumer& reader : value.consumers()) {
            if (reader.input < moved_or_converted_inputs(*reader.node)) {
                ports.push_outputs(*reader.node);
            } else {
                number_in(parts, value);
            }
        }
    }
    return parts;
}

// The computed values that the output puts together.
std::vector<Output> parts_written(const Output& output) {
    std::vector<Output> parts;
    Ports ports(output);
    while (!ports.empty() && parts.size() <= kMostParts) {
        const Output value = ports.pop();
        const std::size_t moved = moved_or_converted_inputs(value.node());
        if (moved == 0) number_in(parts, value);
        for (std::size_t i = 0; i < moved; ++i) ports.push(value.node().input(i));
    }
    return parts;
}

// Sums of products of X belong to the cell's formula; what X itself is doesn't.
bool is_projection(const Output& value) {
    return walk_up({value}, [](const Node& node) -> std::optional<std::size_t> {
        if (as_op<ops::MatMul>(node) != nullptr) return {};
        return as_op<ops::Binary>(node) != nullptr ? kAllInputs : moved_or_converted_inputs(node);
    });
}

}  // namespace

MatchedCell::MatchedCell(const Graph& graph, const Output& input)
    : graph_(graph), parameter_(input.node()), states_(parts_read(input)) {}

bool MatchedCell::ends_in(const Output& output) {
    if (states_.empty() || states_.size() > kMostParts) return false;
    auto next = parts_written(output);
    if (states_.size() != next.size()) return false;
    if (!behind_) behind_ = nodes_behind(graph_, {&parameter_});
    if (is_cell(next)) return true;
    std::reverse(next.begin(), next.end());
    return next.size() == 2 && is_cell(next);
}

bool MatchedCell::is_cell(const std::vector<Output>& next) const {
    GateAlgebra algebra;
    std::vector<Output> inputs;
    StepReader reader(algebra, [&](const Output& value) -> MaybeFormula {
        const std::size_t units = units_of(value.shape());
        if (units == 0) return {};
        const auto state = std::find(states_.begin(), states_.end(), value);
        if (state != states_.end()) {
            return algebra.state(static_cast<std::size_t>(state - states_.begin()), units);
        }
        if (behind_->contains(&value.node()) || known_value(value) || is_projection(value)) {
            return {};
        }
        return algebra.input(number_in(inputs, value), units);
    });
    const auto formulas = reader.read_all(next);
    const auto cell = recognise_cell(algebra, formulas);
    return cell && cell->type != ops::CellType::rnn && !cell->inputs.empty();
}

}  // namespace rondo::passes
