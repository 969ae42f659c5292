#include "transformations/streaming/passes.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "rondo/error.hpp"
#include "transformations/streaming/state_starts.hpp"

namespace rondo::passes {
namespace {

using ops::RecurrentOp;

[[noreturn]] void refuse(const Node& node, const std::string& why) {
    throw UnsupportedError(describe(node) +
                           ": its state can't be kept from chunk to chunk: " + why);
}

void check_direction(const Node& node) {
    if (runs_backwards(node)) refuse(node, "it runs backwards, so that it needs later steps first");
}

bool has_open_steps(const Node& node) {
    const auto* op = as_op<RecurrentOp>(node);
    if (op == nullptr || !op->is_sequence()) return false;
    const PartialShape& x = op->input(op->x_port()).shape();
    return !x.has_rank() || !x[1].is_static();
}

// Whether the state becomes a variable; throws where it should, but can't.
bool is_hidden(const Node& node, const OpState& state) {
    const Output& start = node.input(state.port);
    const bool is_loop = as_op<RecurrentOp>(node) == nullptr;
    if (is_loop && !is_floating(start.element_type())) return false;
    if (as_op<ops::Loop>(node) != nullptr) {
        refuse(node, "only a TensorIterator's rounds are steps for certain");
    }
    if (!is_always_the_same(start)) {
        if (!is_fed(start)) refuse(node, "it starts from a value that is computed from inputs");
        return false;
    }
    if (is_loop) check_direction(node);
    return true;
}

void check_body(const Node& owner, const Graph& body) {
    for (const auto& node : body.ordered_nodes()) {
        for (const auto& inner : node->bodies()) check_body(owner, *inner);
        const auto* op = as_op<RecurrentOp>(*node);
        if (op != nullptr && is_always_the_same(op->input(op->h_port()))) {
            refuse(*node, "it stands in a body of " + describe(owner));
        }
    }
}

using Hidden = std::pair<NodePtr, OpState>;

void find(const NodePtr& node, bool time_is_open, std::vector<Hidden>& found) {
    const auto* op = as_op<RecurrentOp>(*node);
    const bool walks_over_time = op == nullptr || !op->is_sequence() || has_open_steps(*op);
    const std::size_t before = found.size();
    for (const OpState& state : states_of(*node)) {
        if (time_is_open && !walks_over_time) break;
        if (is_hidden(*node, state)) found.emplace_back(node, state);
    }
    if (op != nullptr && found.size() != before) {
        check_direction(*op);
        const RecurrentOp* next = next_layer(*op);
        if (next != nullptr) refuse(*op, "its last state starts " + describe(*next));
    }
    for (const auto& body : node->bodies()) check_body(*node, *body);
}

}  // namespace

bool hidden_states_to_variables(Graph& graph) {
    const auto nodes = graph.ordered_nodes();
    const bool time_is_open = std::any_of(
        nodes.begin(), nodes.end(), [](const NodePtr& node) { return has_open_steps(*node); });
    std::vector<Hidden> states;
    for (const auto& node : nodes) find(node, time_is_open, states);
    VariableMaker maker(graph);
    for (const auto& [node, state] : states) {
        const Output start = node->input(state.port);
        const bool starts_as_zeros = state.shape.is_static() && is_zero(start);
        maker.add(*node, state,
                  starts_as_zeros ? std::vector<Output>() : std::vector<Output>{start});
    }
    return maker.finish();
}

}  // namespace rondo::passes
