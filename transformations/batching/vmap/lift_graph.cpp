#include "transformations/batching/vmap/lift_graph.hpp"

#include <algorithm>
#include <set>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"
#include "transformations/batching/vmap/lift_step.hpp"
#include "transformations/pass/node_roles.hpp"

namespace rondo::passes {
namespace {

// The first one that knows the node counts. Merged rows come first where they cost nothing: that
// is what the graph of a hand-made batch looks like.
constexpr LiftRule kRules[] = {lift_bodies, lift_shape_of,   lift_view,     lift_elementwise,
                               lift_matmul, lift_named_axes, lift_movement, lift_indexing};

[[noreturn]] void refuse(const Node& node, const std::string& why) {
    throw UnsupportedError("no batch axis can be added: " + describe(node) + ": " + why);
}

std::optional<LiftedValues> lifted_by_rule(const LiftStep& step) {
    if (merges_by_itself(step)) {
        if (auto outputs = lift_merged(step)) return outputs;
    }
    for (const LiftRule rule : kRules) {
        if (auto outputs = rule(step)) return outputs;
    }
    if (auto outputs = lift_merged(step)) return outputs;
    return lift_merged_and_repeated(step);
}

LiftedValues with_rows(const LiftStep& step) {
    if (!step.node->has_ranks()) refuse(*step.node, "the number of its axes isn't known");
    auto outputs = lifted_by_rule(step);
    if (!outputs) refuse(*step.node, "there is no rule that keeps the rows of a batch apart");
    return std::move(*outputs);
}

void check_shape(const LiftForms& forms, const Node& node, const LiftedValue& value) {
    if (!value.apart) return;
    const PartialShape expected = with_batch(forms.batch(), value.shape());
    if (value.apart.shape().intersect(expected)) return;
    refuse(node, "with a batch axis its shape would be " + to_string(value.apart.shape()) +
                     "; expected " + to_string(expected));
}

}  // namespace

PartialShape with_batch(const Dimension& batch, const PartialShape& shape) {
    if (!shape.has_rank()) return {};
    std::vector<Dimension> extents{batch};
    extents.insert(extents.end(), shape.dimensions().begin(), shape.dimensions().end());
    return extents;
}

void LiftedGraph::keep(const NodePtr& node, LiftedValues outputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        LiftedValue& value = outputs[i];
        value.original = Output(node, i);
        check_shape(forms_, *node, value);
        for (const Output& made : {value.plain, value.apart, value.merged}) {
            if (made && i == 0) stands_for_.emplace_back(node, made.node_ptr());
        }
    }
    values_[node.get()] = std::move(outputs);
}

void LiftedGraph::set(const NodePtr& parameter, LiftedValue value) {
    if (value.apart && !forms_.can_count()) forms_.count_from(value.apart);
    keep(parameter, {std::move(value)});
}

LiftedValue& LiftedGraph::value(const Output& original) {
    return values_.at(&original.node()).at(original.index());
}

Output LiftedGraph::first_value(const NodePtr& node, const std::vector<LiftedValue*>& inputs) {
    if (!inputs.empty()) return forms_.apart(*inputs[0]);
    if (forms_.batch().is_static()) return {};
    Tensor zero(node->output_type(0), {});
    return forms_.filled(forms_.rewriter().make_constant(node->name() + "/zero", std::move(zero)),
                         node->output_shape(0));
}

LiftedValue LiftedGraph::variable(const NodePtr& node, const std::vector<LiftedValue*>& inputs) {
    const PartialShape& shape = node->output_shape(0);
    if (!shape.has_rank()) refuse(*node, "the number of its axes isn't known");
    if (as_op<ops::ReadValue>(*node) == nullptr) {
        return LiftedValue::rows_apart(
            Output(forms_.rewriter().clone(*node, {forms_.apart(*inputs[0])}), 0));
    }
    const Output start = first_value(node, inputs);
    const auto& read = dynamic_cast<const ops::ReadValue&>(*node);
    return LiftedValue::rows_apart(
        Output(forms_.rewriter().make<ops::ReadValue>(
                   node->name(), start ? std::vector<Output>{start} : std::vector<Output>{},
                   read.variable_id(), node->output_type(0), with_batch(forms_.batch(), shape)),
               0));
}

// The same op, or the node itself where nothing before it has changed.
LiftedValues LiftedGraph::same_for_all(const NodePtr& node,
                                       const std::vector<LiftedValue*>& inputs) {
    std::vector<Output> plain;
    for (const LiftedValue* input : inputs) plain.push_back(input->plain);
    NodePtr made = node;
    if (plain != node->inputs()) made = forms_.rewriter().clone(*node, std::move(plain));
    LiftedValues outputs;
    for (std::size_t i = 0; i < node->output_count(); ++i) {
        outputs.push_back(LiftedValue::all_rows(Output(made, i)));
    }
    return outputs;
}

LiftedValues LiftedGraph::lifted(const NodePtr& node, const std::vector<LiftedValue*>& inputs) {
    const bool has_rows = std::any_of(inputs.begin(), inputs.end(),
                                      [](const auto* input) { return input->has_rows(); });
    if (!has_rows) return same_for_all(node, inputs);
    return with_rows({node, inputs, forms_});
}

void LiftedGraph::visit(const NodePtr& node) {
    std::vector<LiftedValue*> inputs;
    for (const Output& input : node->inputs()) inputs.push_back(&value(input));
    if (writes_variable(*node)) {
        sinks_.push_back(forms_.rewriter().clone(*node, {forms_.apart(*inputs[0])}));
        keep(node, {LiftedValue::rows_apart(Output(sinks_.back(), 0))});
    } else if (reads_variable(*node)) {
        keep(node, {variable(node, inputs)});
    } else {
        keep(node, lifted(node, inputs));
    }
}

void LiftedGraph::run() {
    for (const auto& node : graph_.ordered_nodes()) {
        if (!is_result(*node) && !values_.contains(node.get())) visit(node);
    }
    std::vector<NodePtr> ordered;
    for (const auto& sink : graph_.sinks()) {
        ordered.push_back(value(Output(sink, 0)).apart.node_ptr());
    }
    sinks_ = std::move(ordered);
}

void LiftedGraph::take_names() {
    std::set<const Node*> named;
    stands_for_.insert(stands_for_.begin(), first_.begin(), first_.end());
    for (const auto& [old, made] : stands_for_) {
        if (old == made || !named.insert(made.get()).second || !named.insert(old.get()).second) {
            continue;
        }
        made->set_name(old->name());
        made->rt_info().insert(old->rt_info().begin(), old->rt_info().end());
        move_time_axis(*made);
    }
}

std::vector<Output> outputs_over_rows(Rewriter& rewriter, const NodePtr& node,
                                      const std::vector<bool>& has_rows,
                                      const std::vector<Output>& inputs) {
    const auto first = static_cast<std::size_t>(std::find(has_rows.begin(), has_rows.end(), true) -
                                                has_rows.begin());
    LiftForms forms(rewriter, inputs[first].shape()[0]);
    forms.count_from(inputs[first]);
    LiftedValues values;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        values.push_back(has_rows[i] ? LiftedValue::rows_apart(inputs[i])
                                     : LiftedValue::all_rows(inputs[i]));
        values.back().original = node->input(i);
    }
    LiftStep step{node, {}, forms};
    for (LiftedValue& value : values) step.inputs.push_back(&value);
    LiftedValues made = with_rows(step);
    std::vector<Output> outputs;
    for (std::size_t i = 0; i < made.size(); ++i) {
        made[i].original = node->output(i);
        outputs.push_back(forms.apart(made[i]));
    }
    return outputs;
}

void move_time_axis(Node& port) {
    const auto axis = port.rt_info().find(kTimeAxis);
    long long number = 0;
    if (axis == port.rt_info().end() || !parse_int(axis->second, number)) return;
    axis->second = std::to_string(number + 1);
}

}  // namespace rondo::passes
