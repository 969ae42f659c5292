#include "transformations/rows/branch_cases.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "core/ops/control/if.hpp"
#include "core/ops/source/constant.hpp"
#include "core/runtime/frontend.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"

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

}  // namespace

RowAxes rows_in_all_cases(const Graph& graph, const RowAxesHint& hint) {
    return prove(graph, hint, 0);
}

}  // namespace rondo::passes
