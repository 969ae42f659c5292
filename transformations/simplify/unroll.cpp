// Puts the nodes of a body into the graph around it: of an If whose condition is known, of a loop
// that runs a known number of times.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/graph/constants.hpp"
#include "core/ops/control/control_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/simplify/passes.hpp"

namespace rondo::passes {
namespace {

class Inliner {
public:
    Inliner(Rewriter& rewriter, const Graph& body, std::span<const Output> parameters)
        : rewriter_(rewriter), body_(body) {
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            outside_.emplace(body.parameters()[i].get(), parameters[i]);
        }
    }

    /// What a value of the body is outside: itself where it has yet to be copied.
    Output outside(const Output& value) const {
        const auto parameter = outside_.find(&value.node());
        if (parameter != outside_.end()) return parameter->second;
        const auto copy = copies_.find(&value.node());
        return copy == copies_.end() ? value : Output(copy->second, value.index());
    }

    void copy_needed_by(std::span<const Output> values) {
        std::unordered_set<const Node*> needed;
        for (const Output& value : values) needed.insert(&value.node());
        const auto nodes = body_.ordered_nodes();
        for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
            if (!needed.contains(node->get())) continue;
            for (const Output& input : (*node)->inputs()) needed.insert(&input.node());
        }
        for (const NodePtr& node : nodes) {
            if (needed.contains(node.get()) && !outside_.contains(node.get())) copy(*node);
        }
    }

private:
    void copy(const Node& node) {
        std::vector<Output> inputs;
        for (const Output& input : node.inputs()) inputs.push_back(outside(input));
        const NodePtr made = rewriter_.clone(node, std::move(inputs));
        // Names of tensors are those of the body, where others may have the same.
        for (std::size_t i = 0; i < made->output_count(); ++i) made->output(i).set_names({});
        copies_.emplace(&node, made);
    }

    Rewriter& rewriter_;
    const Graph& body_;
    std::unordered_map<const Node*, Output> outside_;  // of parameters
    std::unordered_map<const Node*, NodePtr> copies_;
};

// False where a replacement would change a type, or where two outputs of the model, or one and an
// input, would become the same tensor.
bool can_replace_all(Node& node, std::span<const Output> by) {
    for (std::size_t i = 0; i < by.size(); ++i) {
        const Output old = node.output(i);
        if (old.element_type() != by[i].element_type()) return false;
        if (!ops::feeds_result(old)) continue;
        for (std::size_t j = 0; j < i; ++j) {
            if (by[j] == by[i] && ops::feeds_result(node.output(j))) return false;
        }
    }
    return true;
}

// Replaces each output of `op` by what a result of the body is: `results` has the number of the
// result for each output, `parameters` what each parameter of the body is outside. False where an
// output of the model would lose its name or type: then nothing has changed.
bool inline_body(Rewriter& rewriter, ops::BodyOp& op, const Graph& body,
                 std::span<const Output> parameters, std::span<const std::size_t> results) {
    Inliner inliner(rewriter, body, parameters);
    std::vector<Output> values;
    std::vector<Output> targets;
    for (const std::size_t result : results) {
        values.push_back(body.results()[result]->input(0));
        targets.push_back(inliner.outside(values.back()));
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        const bool from_outside = targets[i] != values[i];
        if (from_outside && !rewriter.can_replace(op.output(i), targets[i])) return false;
    }
    if (!can_replace_all(op, targets)) return false;
    inliner.copy_needed_by(values);
    for (std::size_t i = 0; i < results.size(); ++i) {
        rewriter.replace(op.output(i), inliner.outside(values[i]));
    }
    return true;
}

void unroll(ops::If& node, Rewriter& rewriter) {
    const Tensor condition = known_value(node.input(0));
    if (!condition || condition.size() != 1) return;
    const std::size_t branch = ops::is_true(condition) ? ops::If::kThen : ops::If::kElse;
    const Graph& body = *node.bodies()[branch];
    std::vector<Output> parameters(body.parameters().size());
    for (const auto& port : node.ports(branch).inputs) {
        parameters[port.parameter] = node.input(port.input);
    }
    std::vector<std::size_t> results(node.ports(branch).outputs.size());
    for (const auto& port : node.ports(branch).outputs) results[port.output] = port.result;
    inline_body(rewriter, node, body, parameters, results);
}

}  // namespace

bool unroll_if(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::If>([&](const auto& node) { unroll(*node, rewriter); });
    return rewriter.changed();
}

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

// A joined output without an iteration. Returns nothing if an extent or the type is open.
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
