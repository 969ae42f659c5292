#include "transformations/common/passes.hpp"

#include "core/ops/control/iterated_op.hpp"
#include "core/ops/source/parameter.hpp"
#include "transformations/common/inline_body.hpp"
#include "transformations/pass/constants.hpp"

namespace rondo::passes {
namespace {

bool is_whole(const ops::PartRange& range, const PartialShape& shape) {
    const auto axis = static_cast<std::size_t>(range.axis);
    return shape.has_rank() && axis < shape.rank() && shape[axis].is_static() &&
           shape[axis].length() == range.part_size;
}

// The number of the first iteration.
Tensor first_number(const ops::Parameter& parameter) {
    return Tensor(parameter.element_type(), parameter.shape().to_shape());
}

void unroll_once(ops::IteratedOp& node, Rewriter& rewriter) {
    const Graph& body = node.body();
    std::vector<Output> parameters(body.parameters().size());
    for (const auto& port : node.body_ports().inputs) {
        const Output input = node.input(port.input);
        if (port.slice && !is_whole(*port.slice, input.shape())) return;
        parameters[port.parameter] = input;
    }
    if (const auto number = node.iteration_parameter()) {
        const auto& parameter = dynamic_cast<const ops::Parameter&>(*body.parameters()[*number]);
        parameters[*number] =
            rewriter.make_constant(node.name() + "/" + parameter.name(), first_number(parameter));
    }
    std::vector<std::size_t> results(node.body_ports().outputs.size());
    for (const auto& port : node.body_ports().outputs) results[port.output] = port.result;
    inline_body(rewriter, node, body, parameters, results);
}

void replace_by_inputs(ops::IteratedOp& node, Rewriter& rewriter) {
    std::vector<Output> inputs(node.body_ports().outputs.size());
    for (const auto& port : node.body_ports().outputs) {
        const ops::BodyInput* carried = node.carried_by(port.result);
        if (port.concat || carried == nullptr) return;
        inputs[port.output] = node.input(carried->input);
        if (!rewriter.can_replace(node.output(port.output), inputs[port.output])) return;
    }
    if (!can_replace_all(node, inputs)) return;
    for (std::size_t i = 0; i < inputs.size(); ++i) rewriter.replace(node.output(i), inputs[i]);
}

void unroll(ops::IteratedOp& node, Rewriter& rewriter) {
    const auto count = node.trip_count(context_of(node)).exact;
    if (count == 1) unroll_once(node, rewriter);
    if (count == 0) replace_by_inputs(node, rewriter);
}

}  // namespace

bool unroll_loop(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::IteratedOp>([&](const auto& node) { unroll(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
