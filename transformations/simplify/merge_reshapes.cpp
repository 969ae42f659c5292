#include "transformations/simplify/passes.hpp"

#include "core/ops/movement/movement_ops.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

// The data of the views before `view`.
Output start_of_chain(const Node& view) {
    Output data = view.input(0);
    while (data.node().traits().view && always_fits(data.node())) data = data.node().input(0);
    return data;
}

// Squeeze and Unsqueeze of the same axes, in either order, with extents of any kind beside them.
bool undo_each_other(const Node& first, const Node& second) {
    const auto axes = view_axes(first);
    return axes && first.type_name() != second.type_name() && axes == view_axes(second);
}

bool replace_if_possible(Node& view, const Output& by, Rewriter& rewriter) {
    if (!rewriter.can_replace(view.output(0), by)) return false;
    rewriter.replace(view.output(0), by);
    return true;
}

void merge(Node& view, Rewriter& rewriter) {
    if (!view.traits().view || !always_fits(view)) return;
    const Output data = start_of_chain(view);
    if (data == view.input(0)) return;
    const Node& previous = view.input(0).node();
    if (same_extents(data.shape(), view.output_shape(0)) &&
        replace_if_possible(view, data, rewriter)) {
        return;
    }
    if (undo_each_other(previous, view) && replace_if_possible(view, previous.input(0), rewriter)) {
        return;
    }
    const auto pattern = pattern_for(view.output_shape(0));
    if (!pattern) return;
    const Output ints = rewriter.make_ints(view.name() + "/pattern", *pattern);
    rewriter.replace(view.output(0), rewriter.make<ops::Reshape>(view.name(), data, ints));
}

}  // namespace

bool merge_reshapes(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<Node>([&](const auto& node) { merge(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
