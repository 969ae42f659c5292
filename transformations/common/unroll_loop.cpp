#include "transformations/common/passes.hpp"

#include <optional>

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

// What no iteration joins; nothing where an extent or the type is open.
std::optional<Tensor> no_parts(const Output& joined) {
    const bool is_known =
        joined.shape().is_static() && joined.element_type() != ElementType::dynamic;
    if (!is_known) return {};
    return Tensor(joined.element_type(), joined.shape().to_shape());
}

void replace_by_inputs(ops::IteratedOp& node, Rewriter& rewriter) {
    std::vector<Output> inputs(node.body_ports().outputs.size());
    for (const auto& port : node.body_ports().outputs) {
        const Output old = node.output(port.output);
        const ops::BodyInput* carried = node.carried_by(port.result);
        const auto joined = port.concat ? no_parts(old) : std::nullopt;
        if (joined) {
            inputs[port.output] = rewriter.make_constant(node.name() + "/no_parts", *joined);
        } else if (!port.concat && carried != nullptr) {
            inputs[port.output] = node.input(carried->input);
        } else {
            return;
        }
        if (!rewriter.can_replace(old, inputs[port.output])) return;
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
