// Adds a batch axis to ops that run bodies. What decides which body runs, and how often, is the
// same for all rows.

#include <memory>
#include <utility>

#include "core/ops/control/control_ops.hpp"
#include "transformations/batching/vmap/lift_step.hpp"
#include "transformations/batching/vmap/lifted_body.hpp"
#include "transformations/pass/remade_loop.hpp"

namespace rondo::passes {
namespace {

using Flags = std::vector<bool>;
using LiftedBodyPtr = std::unique_ptr<LiftedBody>;

// The branch, and its ports: one more where only they say how many rows there are.
std::pair<LiftedBodyPtr, ops::BodyPorts> lifted_branch(const LiftStep& step, const ops::If& node,
                                                       std::size_t index) {
    ops::BodyPorts ports = node.ports(index);
    auto body = std::make_unique<LiftedBody>(*node.bodies()[index], step.forms.batch());
    for (const ops::BodyInput& port : ports.inputs) {
        if (step.has_rows(port.input)) {
            body->give_rows(port.parameter, step.apart(port.input).shape());
        } else {
            body->share(port.parameter);
        }
    }
    if (!body->can_count()) {
        std::size_t input = 0;
        while (!step.has_rows(input)) ++input;
        ports.inputs.push_back({input, body->count_rows(step.apart(input)), {}, {}});
    }
    body->run();
    return {std::move(body), std::move(ports)};
}

// Which outputs of the op have rows in this branch.
void find_rows(LiftedBody& body, const ops::BodyPorts& ports, Flags& outputs) {
    for (const ops::BodyOutput& port : ports.outputs) {
        if (body.has_rows(port.result)) outputs[port.output] = true;
    }
}

GraphPtr finished(LiftedBody& body, const ops::BodyPorts& ports, const Flags& outputs) {
    Flags results(outputs.size());
    for (const ops::BodyOutput& port : ports.outputs) {
        results[port.result] = outputs[port.output];
    }
    return body.finish(results);
}

LiftedValues values_of(const Output& made, const Flags& has_rows) {
    LiftedValues values;
    for (std::size_t i = 0; i < has_rows.size(); ++i) {
        const Output output(made.node_ptr(), i);
        values.push_back(has_rows[i] ? LiftedValue::rows_apart(output)
                                     : LiftedValue::all_rows(output));
    }
    return values;
}

LiftedValues lift_if(const LiftStep& step, const ops::If& node) {
    if (step.has_rows(0)) step.fail("its condition differs between the rows");
    auto [yes, yes_ports] = lifted_branch(step, node, ops::If::kThen);
    auto [no, no_ports] = lifted_branch(step, node, ops::If::kElse);
    Flags has_rows(node.output_count());
    find_rows(*yes, yes_ports, has_rows);
    find_rows(*no, no_ports, has_rows);
    std::vector<Output> inputs;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        inputs.push_back(step.has_rows(i) ? step.apart(i) : step.plain(i));
    }
    std::vector<GraphPtr> bodies{finished(*yes, yes_ports, has_rows),
                                 finished(*no, no_ports, has_rows)};
    return values_of(step.make<ops::If>("", std::move(inputs), std::move(bodies),
                                        std::vector<ops::BodyPorts>{yes_ports, no_ports}),
                     has_rows);
}

// A body that runs again and again, where some of its parameters have rows.
LiftedBodyPtr iteration(const LiftStep& step, const ops::IteratedOp& node, const Flags& has_rows) {
    auto body = std::make_unique<LiftedBody>(node.body(), step.forms.batch());
    for (std::size_t i = 0; i < has_rows.size(); ++i) {
        const PartialShape& shape = node.body().parameters()[i]->output_shape(0);
        if (has_rows[i] && !shape.has_rank()) {
            step.fail("the number of axes of a value in its body isn't known");
        }
        if (has_rows[i]) {
            body->give_rows(i, with_batch(step.forms.batch(), shape));
        } else {
            body->share(i);
        }
    }
    if (!body->can_count()) step.fail("its body sees no rows");
    body->run();
    return body;
}

// The parameters that have rows: in the first iteration, or from the one before.
Flags parameters_with_rows(const LiftStep& step, const ops::IteratedOp& node) {
    Flags has_rows(node.body().parameters().size());
    for (const ops::BodyInput& port : node.body_ports().inputs) {
        has_rows[port.parameter] = step.has_rows(port.input);
    }
    for (bool changed = true; changed;) {
        changed = false;
        const LiftedBodyPtr body = iteration(step, node, has_rows);
        for (const ops::BodyInput& port : node.body_ports().inputs) {
            const bool gets = port.back_edge && body->has_rows(*port.back_edge);
            if (!gets || has_rows[port.parameter]) continue;
            has_rows[port.parameter] = true;
            changed = true;
        }
    }
    return has_rows;
}

Output remade(const LiftStep& step, const ops::IteratedOp& node, std::vector<Output> inputs,
              GraphPtr body, ops::BodyPorts ports) {
    const ops::LoopPorts special{node.iteration_parameter(), node.condition_result()};
    return remade_loop(step.forms.rewriter(), node, node.name(),
                       {std::move(inputs), std::move(body), std::move(ports), special})
        ->output(0);
}

// A loop-carried value that has rows in some iteration gets them from the first one on.
std::vector<Output> inputs_of(const LiftStep& step, const ops::BodyPorts& ports,
                              const Flags& parameters) {
    Flags has_rows(step.inputs.size());
    for (const ops::BodyInput& port : ports.inputs) {
        if (parameters[port.parameter]) has_rows[port.input] = true;
    }
    for (const ops::BodyInput& port : ports.inputs) {
        if (has_rows[port.input] && !parameters[port.parameter]) {
            step.fail("its input " + std::to_string(port.input) + " is shared in its body");
        }
    }
    std::vector<Output> inputs;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        inputs.push_back(has_rows[i] ? step.apart(i) : step.plain(i));
    }
    return inputs;
}

LiftedValues lift_iterated(const LiftStep& step, const ops::IteratedOp& node) {
    if (as_op<ops::Loop>(node) != nullptr && (step.has_rows(0) || step.has_rows(1))) {
        step.fail("how often it runs differs between the rows");
    }
    const Flags parameters = parameters_with_rows(step, node);
    const LiftedBodyPtr body = iteration(step, node, parameters);
    if (node.condition_result() && body->has_rows(*node.condition_result())) {
        step.fail("how often it runs differs between the rows");
    }
    ops::BodyPorts ports = node.body_ports();
    Flags results;
    for (std::size_t i = 0; i < node.body().results().size(); ++i) {
        results.push_back(body->has_rows(i));
    }
    for (ops::BodyInput& port : ports.inputs) {
        if (port.back_edge && parameters[port.parameter]) results[*port.back_edge] = true;
        if (port.slice && parameters[port.parameter]) port.slice->axis = behind(port.slice->axis);
    }
    Flags outputs(node.output_count());
    for (ops::BodyOutput& port : ports.outputs) {
        outputs[port.output] = results[port.result];
        if (port.concat && results[port.result]) port.concat->axis = behind(port.concat->axis);
    }
    auto inputs = inputs_of(step, ports, parameters);
    GraphPtr finished_body = body->finish(results);
    return values_of(remade(step, node, std::move(inputs), std::move(finished_body), ports),
                     outputs);
}

}  // namespace

std::optional<LiftedValues> lift_bodies(const LiftStep& step) {
    if (const auto* op = as_op<ops::If>(*step.node)) return lift_if(step, *op);
    if (const auto* op = as_op<ops::IteratedOp>(*step.node)) return lift_iterated(step, *op);
    return {};
}

}  // namespace rondo::passes
