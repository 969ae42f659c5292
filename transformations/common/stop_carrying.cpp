#include "transformations/common/stop_carrying.hpp"

#include <utility>
#include <vector>

#include "core/ops/control/iterated_op.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

bool never_changes(const Graph& body, const ops::BodyInput& port) {
    return port.back_edge && body.results()[*port.back_edge]->input(0) ==
                                 body.parameters()[port.parameter]->output(0);
}

// The op's outputs of that result after the last iteration.
std::vector<Output> last_values(ops::IteratedOp& op, std::size_t result) {
    std::vector<Output> outputs;
    for (const auto& port : op.body_ports().outputs) {
        if (port.result == result && !port.concat) outputs.push_back(op.output(port.output));
    }
    return outputs;
}

// Whether a port was changed.
bool settle(ops::IteratedOp& op, Rewriter& rewriter) {
    ops::BodyPorts ports = op.body_ports();
    std::vector<std::pair<Output, Output>> same;
    bool changed = false;
    for (auto& port : ports.inputs) {
        if (!never_changes(op.body(), port)) continue;
        for (const Output& output : last_values(op, *port.back_edge)) {
            same.emplace_back(output, op.input(port.input));
        }
        port.back_edge.reset();
        changed = true;
    }
    if (!changed) return false;
    op.set_ports(0, std::move(ports));
    for (const auto& [output, input] : same) {
        if (!output.consumers().empty() && rewriter.can_replace(output, input)) {
            rewriter.replace(output, input);
        }
    }
    return true;
}

}  // namespace

bool stop_carrying(Graph& graph) {
    Rewriter rewriter(graph);
    bool changed = false;
    rewriter.for_each<ops::IteratedOp>(
        [&](const auto& node) { changed = settle(*node, rewriter) || changed; });
    return changed || rewriter.changed();
}

}  // namespace rondo::passes
