#include "transformations/simplify/passes.hpp"

#include "transformations/analysis/views.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

void merge_with_producer(ops::Transpose& transpose, Rewriter& rewriter) {
    const Node& first = transpose.input(0).node();
    const auto first_order = order_of(first);
    const auto second_order = order_of(transpose);
    if (!first_order || !second_order) return;
    const AxisOrder order = combine(*first_order, *second_order);
    const Output data = first.input(0);
    if (is_identity(order) && rewriter.can_replace(transpose.output(0), data)) {
        rewriter.replace(transpose.output(0), data);
        return;
    }
    const Output ints = rewriter.make_ints(transpose.name() + "/order", to_ints(order));
    rewriter.replace(transpose.output(0),
                     rewriter.make<ops::Transpose>(transpose.name(), data, ints));
}

// Only if elements stay in place; eliminate_no_ops removes identities.
void turn_into_view(ops::Transpose& transpose, Rewriter& rewriter) {
    const auto order = order_of(transpose);
    const Output data = transpose.input(0);
    if (!order || is_identity(*order) || !moves_only_unit_axes(*order, data.shape())) return;
    rewriter.replace(transpose.output(0),
                     make_unit_axis_move(rewriter, data, *order, transpose.name()));
}

}  // namespace

bool merge_transposes(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::Transpose>(
        [&](const auto& node) { merge_with_producer(*node, rewriter); });
    rewriter.for_each<ops::Transpose>([&](const auto& node) { turn_into_view(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
