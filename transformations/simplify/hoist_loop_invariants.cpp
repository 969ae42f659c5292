#include "transformations/simplify/passes.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/pass/remade_loop.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

using ops::IteratedOp;

bool never_changes(const Graph& body, const ops::BodyInput& port) {
    return port.back_edge && body.results()[*port.back_edge]->input(0) ==
                                 body.parameters()[port.parameter]->output(0);
}

// A loop-carried value that never changes: the op's outputs of it are `input`, even without an
// iteration.
struct Settled {
    std::size_t result = 0;
    Output input;
};

// Whether the value's outputs can become its input. One input takes the place of one output of the
// model at most: `given` has those that do, and gets this one.
bool can_settle(IteratedOp& op, const Settled& value, const Rewriter& rewriter,
                std::vector<Output>& given) {
    bool gives = false;
    for (const auto& port : op.body_ports().outputs) {
        if (port.result != value.result || port.concat) continue;
        const Output output = op.output(port.output);
        if (output.consumers().empty()) continue;
        if (!rewriter.can_replace(output, value.input)) return false;
        if (!ops::feeds_result(output)) continue;
        const bool is_given = std::find(given.begin(), given.end(), value.input) != given.end();
        if (gives || is_given) return false;
        gives = true;
    }
    if (gives) given.push_back(value.input);
    return true;
}

// The input that a port of the op gives, or an empty one.
Output settled_input(const std::vector<Settled>& settled, const ops::BodyOutput& port) {
    for (const Settled& value : settled) {
        if (port.result == value.result && !port.concat) return value.input;
    }
    return {};
}

// The body without the results that nothing needs, whose numbers `ports` and `condition` then have.
GraphPtr body_of(const Graph& body, ops::BodyPorts& ports, std::optional<std::size_t>& condition) {
    std::vector<std::size_t*> numbers;
    if (condition) numbers.push_back(&*condition);
    for (auto& port : ports.inputs) {
        if (port.back_edge) numbers.push_back(&*port.back_edge);
    }
    for (auto& port : ports.outputs) numbers.push_back(&port.result);
    std::vector<NodePtr> results;
    for (std::size_t i = 0; i < body.results().size(); ++i) {
        bool is_needed = false;
        for (std::size_t* number : numbers) {
            if (*number != i) continue;
            *number = results.size();
            is_needed = true;
        }
        if (is_needed) results.push_back(body.results()[i]);
    }
    auto graph = std::make_shared<Graph>(body.name(), body.parameters(), std::move(results));
    graph->rt_info() = body.rt_info();
    return graph;
}

std::shared_ptr<IteratedOp> remade(const IteratedOp& op, ops::BodyPorts ports, Rewriter& rewriter) {
    std::optional<std::size_t> condition = op.condition_result();
    GraphPtr body = body_of(op.body(), ports, condition);
    return remade_loop(
        rewriter, op, op.name(),
        {op.inputs(), std::move(body), std::move(ports), {op.iteration_parameter(), condition}});
}

void settle(const std::shared_ptr<IteratedOp>& op, Rewriter& rewriter) {
    ops::BodyPorts ports = op->body_ports();
    std::vector<Settled> settled;
    std::vector<Output> given;
    for (auto& port : ports.inputs) {
        if (!never_changes(op->body(), port)) continue;
        const Settled value{*port.back_edge, op->input(port.input)};
        if (!can_settle(*op, value, rewriter, given)) continue;
        settled.push_back(value);
        port.back_edge.reset();
    }
    if (settled.empty()) return;
    std::vector<std::pair<Output, Output>> same;
    std::vector<std::size_t> kept;  // outputs of the old op
    std::vector<ops::BodyOutput> outputs;
    for (std::size_t i = 0; i < ports.outputs.size(); ++i) {
        for (const auto& port : ports.outputs) {
            if (port.output != i) continue;
            if (const Output input = settled_input(settled, port)) {
                same.emplace_back(op->output(i), input);
                continue;
            }
            outputs.push_back({kept.size(), port.result, port.concat});
            kept.push_back(i);
        }
    }
    if (!kept.empty()) {
        ports.outputs = std::move(outputs);
        const auto made = remade(*op, std::move(ports), rewriter);
        for (std::size_t i = 0; i < kept.size(); ++i) {
            rewriter.replace(op->output(kept[i]), made->output(i));
        }
        rewriter.inherit_name(op, *made);
    }
    for (const auto& [output, input] : same) {
        if (!output.consumers().empty()) rewriter.replace(output, input);
    }
}

}  // namespace

bool hoist_loop_invariants(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<IteratedOp>([&](const auto& node) { settle(node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
