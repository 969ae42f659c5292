// Searches for the axes of rows, if necessary for each value of the conditions that all streams
// share.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "core/runtime/transforms.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "transformations/batching/prove_rows.hpp"

namespace rondo::passes {
namespace {

constexpr int kMaxDepth = 6;

bool has_open_rank(const Node& node) {
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        if (!node.output_shape(i).has_rank()) return true;
    }
    return false;
}

// The place of the first If that hides the rank of its outputs.
std::optional<std::size_t> place_of_choice(const Graph& graph,
                                           const std::vector<const Node*>& choices) {
    const auto nodes = graph.ordered_nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const bool is_choice =
            std::find(choices.begin(), choices.end(), nodes[i].get()) != choices.end();
        if (is_choice && has_open_rank(*nodes[i])) return i;
    }
    return {};
}

// The graph with that condition; null where it isn't valid.
std::shared_ptr<Graph> case_of(const Graph& graph, std::size_t place, bool condition) {
    auto copy = graph.clone();
    const NodePtr choice = copy->ordered_nodes()[place];
    const PartialShape& shape = choice->input(0).shape();
    Tensor flag(ElementType::boolean, shape.is_static() ? shape.to_shape() : Shape{});
    *flag.data<bool>() = condition;
    choice->set_input(0, make_node<ops::Constant>(std::move(flag)));
    try {
        copy->validate();
        run_portable_passes(*copy, {});
    } catch (const ModelError&) {
        return nullptr;
    }
    return copy;
}

bool same_axes(const RowAxes& a, const RowAxes& b) {
    return a.inputs == b.inputs && a.outputs == b.outputs && a.variables == b.variables;
}

RowAxes prove(const Graph& graph, const RowAxesHint& hint, int depth) {
    const RowPlan plan = prove_rows(graph, hint);
    if (plan.axes.obstacle.empty() || depth == kMaxDepth) return plan.axes;
    const auto place = place_of_choice(graph, plan.shared_choices);
    if (!place) return plan.axes;
    const RowAxesHint tried = hint_of(graph, plan.axes);
    std::optional<RowAxes> found;
    for (const bool condition : {true, false}) {
        const auto part = case_of(graph, *place, condition);
        if (part == nullptr) continue;
        const RowAxes axes = prove(*part, tried, depth + 1);
        if (!axes.obstacle.empty()) return axes;
        if (found && !same_axes(*found, axes)) return plan.axes;
        found = axes;
    }
    return found ? *found : plan.axes;
}

// As prove_rows(). If that fails below an If whose outputs have no known rank and whose condition
// is the same for all streams, both branches are proven, one after the other: the graph with the
// condition as a constant, after the portable passes. A case that isn't valid never runs.
RowAxes rows_in_all_cases(const Graph& graph, const RowAxesHint& hint) {
    return prove(graph, hint, 0);
}

// The first port whose rows can't be more than one stream's.
std::string fixed_extent(const Graph& graph, const RowAxes& axes) {
    for (std::size_t i = 0; i < axes.inputs.size(); ++i) {
        const Node& node = *graph.parameters()[i];
        if (!axes.inputs[i] || !node.output_shape(0)[*axes.inputs[i]].is_static()) continue;
        return describe(node) + ": its batch, axis " + std::to_string(*axes.inputs[i]) + " of " +
               to_string(node.output_shape(0)) + ", is fixed";
    }
    const auto variables = ops::variables_of(graph);
    for (std::size_t i = 0; i < axes.variables.size(); ++i) {
        const PartialShape& shape = variables[i].shape();
        if (!axes.variables[i] || !shape[*axes.variables[i]].is_static()) continue;
        return describe(*variables[i].read) + ": its batch, axis " +
               std::to_string(*axes.variables[i]) + " of " + to_string(shape) + ", is fixed";
    }
    return {};
}

}  // namespace

RowAxes find_row_axes(const Graph& graph, const RowAxesHint& hint) {
    return rows_in_all_cases(graph, hint);
}

RowAxes find_row_axes(const Graph& graph) {
    RowAxes axes = find_row_axes(graph, {});
    if (axes.obstacle.empty()) return axes;
    const RowAxes opened = plan_batch(graph).axes;
    if (!opened.obstacle.empty()) return axes.inputs.empty() ? opened : axes;
    const std::string fixed = fixed_extent(graph, opened);
    axes.obstacle = (fixed.empty() ? axes.obstacle : fixed) + "; Model::set_batch(-1) opens it";
    return axes;
}

}  // namespace rondo::passes
