#include "transformations/state/passes.hpp"

#include <set>

#include "core/ops/control/loop.hpp"
#include "rondo/error.hpp"
#include "transformations/common/passes.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/state/state_starts.hpp"
#include "transformations/state/variable_maker.hpp"

namespace rondo::passes {
namespace {

using ops::IteratedOp;
using ops::RecurrentOp;

bool runs_once(const IteratedOp& loop) { return loop.trip_count(context_of(loop)).exact == 1; }

bool has_one_step(const RecurrentOp& op) {
    const PartialShape& x = op.input(op.x_port()).shape();
    return x.has_rank() && x[1] == Dimension(1);
}

// A Loop that runs several times may do anything; a TensorIterator walks over parts.
bool is_converted(const IteratedOp& loop) {
    return runs_once(loop) || dynamic_cast<const ops::Loop*>(&loop) == nullptr;
}

// A cell before or behind another one is a step of an unrolled layer.
bool stands_alone(const RecurrentOp& op) {
    const bool follows = as<RecurrentOp>(op.input(op.h_port())) != nullptr;
    return op.is_sequence() || (!follows && next_layer(op) == nullptr);
}

void check(const Node& node) {
    const auto* op = as_op<RecurrentOp>(node);
    if (op != nullptr && !has_one_step(*op) && runs_backwards(*op)) {
        throw UnsupportedError(describe(node) +
                               ": its state can't be kept for later steps, since "
                               "it runs backwards: it needs these first");
    }
    const auto* loop = as_op<IteratedOp>(node);
    if (loop != nullptr && is_converted(*loop) && runs_backwards(*loop) && !runs_once(*loop)) {
        throw UnsupportedError(describe(node) +
                               ": its values can't be kept for later steps, since "
                               "it runs backwards: it needs these first");
    }
}

// Gives each value that goes round an input of the loop of its own.
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

class Pass {
public:
    Pass(Graph& graph, bool zeros) : maker_(graph), zeros_(zeros) {}

    void convert(RecurrentOp& op);
    void convert(IteratedOp& loop);
    bool finish() { return maker_.finish(); }

private:
    void add(Node& node, std::size_t port, VariableMaker::Variable variable);
    std::vector<Output> start_of(const Output& value, const VariableMaker::Variable& variable);

    VariableMaker maker_;
    bool zeros_;
};

std::vector<Output> Pass::start_of(const Output& value, const VariableMaker::Variable& variable) {
    const PartialShape& shape = variable.shape;
    if (shape.is_static() && (zeros_ || is_zero(value))) return {};
    if (!zeros_ || !shape.has_rank()) return {value};
    std::vector<ShapeElement> extents;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        extents.push_back(shape[i].is_static() ? ShapeElement{shape[i].length()}
                                               : extent_element(value, i));
    }
    return {make_zeros(maker_.rewriter(), variable.id, value.element_type(), extents)};
}

void Pass::add(Node& node, std::size_t port, VariableMaker::Variable variable) {
    const Output before = node.input(port);
    if (is_kept(before)) return;
    variable.init = start_of(before, variable);
    maker_.add(node, port, variable);
}

void Pass::convert(RecurrentOp& op) {
    if (!stands_alone(op)) return;
    std::size_t number = 0;
    for (const std::size_t port : {op.h_port(), op.c_port()}) {
        if (port == RecurrentOp::npos) continue;
        add(op, port,
            {op.name() + "/variable_" + std::to_string(number++), last_state(op, port),
             shape_of_state(op, port)});
    }
}

void Pass::convert(IteratedOp& loop) {
    if (!is_converted(loop)) return;
    separate_inputs(loop);
    const auto inputs = loop.body_ports().inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i].back_edge || inputs[i].slice) continue;
        const Node& parameter = *loop.body().parameters()[inputs[i].parameter];
        add(loop, inputs[i].input,
            {loop.name() + "/" + parameter.name() + "/variable_" + std::to_string(i),
             last_value(loop, *inputs[i].back_edge), parameter.output_shape(0)});
    }
}

}  // namespace

bool low_latency(Graph& graph, bool use_const_initializer) {
    const auto nodes = graph.ordered_nodes();
    for (const auto& node : nodes) check(*node);
    Pass pass(graph, use_const_initializer);
    for (const auto& node : nodes) {
        if (const auto op = as<RecurrentOp>(node)) pass.convert(*op);
        if (const auto loop = as<IteratedOp>(node)) pass.convert(*loop);
    }
    const bool changed = pass.finish();
    return unroll_loop(graph) || changed;
}

}  // namespace rondo::passes
