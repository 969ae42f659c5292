#include "transformations/streaming/state_starts.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/graph/constants.hpp"
#include "core/ops/control/control_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "transformations/analysis/make_shape.hpp"
#include "transformations/analysis/slices.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/pass/node_roles.hpp"
#include "transformations/recurrent/recognition/op_formula.hpp"

namespace rondo::passes {
namespace {

using ops::RecurrentOp;
using Followed = std::optional<std::size_t>;

// Whether rows are reversed along the axis, each in its own length.
bool turns_rows_round(const Node& node, std::size_t axis) {
    const auto* reversal = as_op<ops::ReverseSequence>(node);
    if (reversal == nullptr || !node.input(0).shape().has_rank()) return false;
    const auto axes = normalized_axes({reversal->seq_axis()}, node.input(0).shape().rank());
    return axes && axes->front() == axis;
}

bool is_turned_round(Output value, std::size_t axis) {
    while (value.shape().has_rank()) {
        const Node& node = value.node();
        if (reversed_axis(node) == axis || turns_rows_round(node, axis)) return true;
        const auto rows = node.input_count() != 0 && node.has_ranks()
                              ? node.independent_axis(value.index(), axis)
                              : std::nullopt;
        if (!rows || rows->inputs[0] == IndependentAxis::kWhole) return false;
        axis = rows->inputs[0];
        value = node.input(0);
    }
    return false;
}

bool is_source(const Node& node) { return is_parameter(node) || reads_variable(node); }

// What a node that only moves or converts elements takes them from; nothing for others.
Followed followed_elements(const Node& node) {
    const std::size_t moved = moved_or_converted_inputs(node);
    return moved != 0 ? Followed(moved) : std::nullopt;
}

}  // namespace

std::optional<std::size_t> joined_axis(const Node& node) {
    const auto* op = as_op<ops::Concat>(node);
    if (op == nullptr || !node.output_shape(0).has_rank()) return {};
    const auto axes = normalized_axes({op->axis()}, node.output_shape(0).rank());
    return axes ? Followed(axes->front()) : std::nullopt;
}

std::optional<std::vector<OutputRows>> rows_of_input(const Node& node, std::size_t input,
                                                     std::size_t axis) {
    if (!node.has_ranks()) return {};
    std::vector<OutputRows> found;
    for (std::size_t output = 0; output < node.output_count(); ++output) {
        if (!node.output_shape(output).has_rank()) return {};
        for (std::size_t i = 0; i < node.output_shape(output).rank(); ++i) {
            const auto rows = node.independent_axis(output, i);
            if (rows && rows->inputs[input] == axis) found.push_back({output, i, *rows});
        }
    }
    return found;
}

bool is_zero(const Output& value) {
    return !walk_up({value}, [](const Node& node) -> Followed {
        const Tensor known = node.known_value(0);
        if (!known) return followed_elements(node);
        return has_zero_bits(known) ? Followed(0) : std::nullopt;
    });
}

bool is_always_the_same(const Output& value) {
    return !walk_up({value}, [](const Node& node) -> Followed {
        if (is_source(node) || node.traits().random) return {};
        return node.traits().reads_shapes_only ? 0 : kAllInputs;
    });
}

bool is_fed(const Output& value) {
    return !walk_up({value}, [](const Node& node) -> Followed {
        const bool is_end = is_source(node) || node.known_value(0);
        return is_end ? Followed(0) : followed_elements(node);
    });
}

bool is_kept(const Output& value) {
    return walk_up({value}, [](const Node& node) -> Followed {
        return reads_variable(node) ? std::nullopt : Followed(moved_or_converted_inputs(node));
    });
}

const RecurrentOp* next_layer(const RecurrentOp& op) {
    std::vector<std::pair<const Node*, std::size_t>> open;
    for (std::size_t i = first_state_output(op); i < op.output_count(); ++i) {
        open.emplace_back(&op, i);
    }
    std::set<const Node*> seen;
    while (!open.empty()) {
        const auto [node, output] = open.back();
        open.pop_back();
        for (const Consumer& reader : node->consumers(output)) {
            const auto* layer = as_op<RecurrentOp>(*reader.node);
            const bool starts = layer != nullptr && (reader.input == layer->h_port() ||
                                                     reader.input == layer->c_port());
            if (starts) return layer;
            if (reader.input >= moved_or_converted_inputs(*reader.node)) continue;
            if (!seen.insert(reader.node).second) continue;
            for (std::size_t i = 0; i < reader.node->output_count(); ++i) {
                open.emplace_back(reader.node, i);
            }
        }
    }
    return nullptr;
}

bool runs_backwards(const Node& node) {
    constexpr std::size_t kTime = 1;  // of X [N,T,I]
    const auto* op = as_op<RecurrentOp>(node);
    if (op != nullptr && op->is_sequence()) {
        return op->attributes().direction != ops::Direction::forward ||
               is_turned_round(op->input(op->x_port()), kTime);
    }
    const auto* loop = as_op<ops::IteratedOp>(node);
    if (loop == nullptr) return false;
    const auto& ports = loop->body_ports();
    const auto reversed = [](const auto& range) { return range && range->is_reversed(); };
    return std::any_of(ports.inputs.begin(), ports.inputs.end(),
                       [&](const auto& port) { return reversed(port.slice); }) ||
           std::any_of(ports.outputs.begin(), ports.outputs.end(),
                       [&](const auto& port) { return reversed(port.concat); });
}

std::vector<OpState> states_of(const Node& node) {
    std::vector<OpState> states;
    const auto variable = [](const std::string& of, std::size_t number) {
        return of + "/variable_" + std::to_string(number);
    };
    if (const auto* op = as_op<RecurrentOp>(node)) {
        for (const std::size_t port : {op->h_port(), op->c_port()}) {
            if (port == RecurrentOp::npos) continue;
            const std::size_t last = first_state_output(*op) + states.size();
            const PartialShape& before = op->input(port).shape();
            states.push_back({port, last, before.intersect(op->output_shape(last)).value_or(before),
                              variable(op->name(), states.size())});
        }
    }
    const auto* loop = as_op<ops::IteratedOp>(node);
    for (std::size_t i = 0; loop != nullptr && i < loop->body_ports().inputs.size(); ++i) {
        const ops::BodyInput& port = loop->body_ports().inputs[i];
        if (!port.back_edge || port.slice) continue;
        const Node& parameter = *loop->body().parameters()[port.parameter];
        states.push_back({port.input, *port.back_edge, parameter.output_shape(0),
                          variable(loop->name() + "/" + parameter.name(), i)});
    }
    return states;
}

namespace {

// The output of a loop that holds the last value of a result; made where there is none.
Output last_value(ops::IteratedOp& loop, std::size_t result) {
    ops::BodyPorts ports = loop.body_ports();
    for (const ops::BodyOutput& port : ports.outputs) {
        if (port.result == result && !port.concat) return loop.output(port.output);
    }
    const std::size_t added = ports.outputs.size();
    ports.outputs.push_back({added, result, {}});
    loop.set_ports(0, std::move(ports));
    loop.validate();
    return loop.output(added);
}

}  // namespace

UniqueNames variable_ids(const Graph& graph) {
    UniqueNames ids;
    for (const auto& sink : graph.sinks()) {
        if (const auto assign = as<ops::AssignBase>(sink)) ids.insert(assign->variable_id());
    }
    return ids;
}

void VariableMaker::add(Node& op, const OpState& state, std::vector<Output> init) {
    auto* loop = dynamic_cast<ops::IteratedOp*>(&op);
    const Output next = loop != nullptr ? last_value(*loop, state.last) : op.output(state.last);
    const std::string id = ids_.take(state.id);
    const ElementType type = op.input(state.port).element_type();
    op.set_input(state.port, rewriter_.make<ops::ReadValue>(id, init, id, type, state.shape));
    assigns_.push_back(rewriter_.make<ops::Assign>(id + "/assign", next, id));
}

bool VariableMaker::finish() {
    if (assigns_.empty()) return false;
    auto sinks = graph_.sinks();
    sinks.insert(sinks.end(), assigns_.begin(), assigns_.end());
    graph_.set_ends(graph_.parameters(), graph_.results(), std::move(sinks));
    graph_.validate();
    return true;
}

Output make_zeros(Rewriter& rewriter, const std::string& name, ElementType type,
                  const std::vector<ShapeElement>& extents) {
    const Output zero = rewriter.make_constant(name + "/zero", Tensor(type, {}));
    return rewriter.make<ops::Broadcast>(name + "/init", zero,
                                         make_shape(rewriter, extents, name + "/init_shape"));
}

}  // namespace rondo::passes
