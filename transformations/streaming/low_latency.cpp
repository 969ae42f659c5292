#include "transformations/streaming/passes.hpp"

#include <set>
#include <utility>
#include <vector>

#include "core/graph/constants.hpp"
#include "core/ops/control/control_ops.hpp"
#include "rondo/error.hpp"
#include "transformations/simplify/passes.hpp"
#include "transformations/streaming/state_starts.hpp"

namespace rondo::passes {
namespace {

using ops::IteratedOp;
using ops::RecurrentOp;

// A Loop that runs several times may do anything; a TensorIterator walks over parts.
bool runs_once(const IteratedOp& loop) { return loop.trip_count(context_of(loop)).exact == 1; }

// Whether the op may take several steps over an input.
bool walks(const Node& node) {
    if (const auto* op = as_op<RecurrentOp>(node)) {
        const PartialShape& x = op->input(op->x_port()).shape();
        return !x.has_rank() || x[1] != Dimension(1);
    }
    const auto* loop = as_op<ops::TensorIterator>(node);
    return loop != nullptr && !runs_once(*loop);
}

void check(const Node& node) {
    if (!walks(node) || !runs_backwards(node)) return;
    const bool is_layer = as_op<RecurrentOp>(node) != nullptr;
    throw UnsupportedError(describe(node) + ": its " + (is_layer ? "state" : "values") +
                           " can't be kept for later steps, since "
                           "it runs backwards: it needs these first");
}

// Gives each loop-carried value an input of the loop of its own.
void separate_inputs(IteratedOp& loop) {
    ops::BodyPorts ports = loop.body_ports();
    auto inputs = loop.inputs();
    std::set<std::size_t> taken;
    for (ops::BodyInput& port : ports.inputs) {
        if (taken.insert(port.input).second) continue;
        inputs.push_back(inputs[port.input]);
        port.input = inputs.size() - 1;
    }
    loop.set_ports(0, std::move(ports));
    loop.set_inputs(std::move(inputs));
    loop.validate();
}

// A cell that starts from another cell's state, or starts another one, is a step of an unrolled
// layer.
bool is_converted(Node& node) {
    if (const auto* op = as_op<RecurrentOp>(node)) {
        const bool follows = as<RecurrentOp>(op->input(op->h_port())) != nullptr;
        return op->is_sequence() || (!follows && next_layer(*op) == nullptr);
    }
    auto* loop = dynamic_cast<IteratedOp*>(&node);
    if (loop == nullptr || (as_op<ops::Loop>(node) != nullptr && !runs_once(*loop))) return false;
    separate_inputs(*loop);
    return true;
}

// `zeros`: rather than the value from which the state starts now.
std::vector<Output> start_of(const Output& value, const OpState& state, bool zeros,
                             Rewriter& rewriter) {
    const PartialShape& shape = state.shape;
    if (shape.is_static() && (zeros || is_zero(value))) return {};
    if (!zeros || !shape.has_rank()) return {value};
    std::vector<ShapeElement> extents;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        extents.push_back(shape[i].is_static() ? ShapeElement{shape[i].length()}
                                               : extent_element(value, i));
    }
    return {make_zeros(rewriter, state.id, value.element_type(), extents)};
}

}  // namespace

bool low_latency(Graph& graph, bool use_const_initializer) {
    const auto nodes = graph.ordered_nodes();
    for (const auto& node : nodes) check(*node);
    VariableMaker maker(graph);
    for (const auto& node : nodes) {
        if (!is_converted(*node)) continue;
        for (const OpState& state : states_of(*node)) {
            const Output start = node->input(state.port);
            if (is_kept(start)) continue;
            maker.add(*node, state,
                      start_of(start, state, use_const_initializer, maker.rewriter()));
        }
    }
    const bool changed = maker.finish();
    return unroll_loop(graph) || changed;
}

}  // namespace rondo::passes
