// Adds a batch axis to ops that find elements by indices.

#include <utility>

#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/batching/vmap/lift_step.hpp"

namespace rondo::passes {
namespace {

using Ints = std::vector<std::int64_t>;

// Axis `from` moves to `to`; the others keep their order.
Output moved_axis(const LiftStep& step, const Output& value, std::size_t from, std::size_t to) {
    return make_axis_move(step.forms.rewriter(), value, from, to, step.node->name() + "/rows");
}

std::int64_t counted(std::int64_t axis, std::size_t rank) {
    return axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
}

LiftedValues gather(const LiftStep& step, const ops::Gather& node) {
    const Ints axes = step.constant(2);
    if (axes.size() != 1) step.fail("its axis isn't one number");
    const std::int64_t axis = counted(axes[0], step.rank(0));
    const std::int64_t batch = counted(node.batch_dims(), step.rank(1));
    if (!step.has_rows(1) && batch == 0) {
        return one_apart(step.make<ops::Gather>("", step.apart(0), step.plain(1),
                                                step.ints_like(2, {axis + 1})));
    }
    if (!step.has_rows(0) && batch == 0) {
        const Output found =
            step.make<ops::Gather>("", step.plain(0), step.apart(1), step.ints_like(2, {axis}));
        return one_apart(moved_axis(step, found, static_cast<std::size_t>(axis), 0));
    }
    return one_apart(step.make<ops::Gather>("", step.apart(0), step.apart(1),
                                            step.ints_like(2, {axis + 1}), batch + 1));
}

LiftedValues gather_nd(const LiftStep& step, const ops::GatherND& node) {
    if (!step.has_rows(0) && node.batch_dims() == 0) {
        return one_apart(step.make<ops::GatherND>("", step.plain(0), step.apart(1), 0));
    }
    return one_apart(
        step.make<ops::GatherND>("", step.apart(0), step.apart(1), node.batch_dims() + 1));
}

// The axis of rows moves after the axes that the indices name, so that all rows share the indices.
LiftedValues scatter_nd(const LiftStep& step) {
    const Dimension places = step.shape(1)[step.rank(1) - 1];
    if (!places.is_static()) step.fail("the number of axes that its places name isn't known");
    const Output& indices = step.plain(1);
    const auto named = static_cast<std::size_t>(places.length());
    const std::size_t before = step.rank(1) - 1;  // axes of the updates in front of the slices
    const Output data = moved_axis(step, step.apart(0), 0, named);
    const Output updates = moved_axis(step, step.apart(2), 0, before);
    const Output made(step.clone({data, indices, updates}), 0);
    return one_apart(moved_axis(step, made, named, 0));
}

}  // namespace

std::optional<LiftedValues> lift_indexing(const LiftStep& step) {
    const Node& node = *step.node;
    if (const auto* op = as_op<ops::Gather>(node)) return gather(step, *op);
    if (const auto* op = as_op<ops::GatherND>(node)) return gather_nd(step, *op);
    if (as_op<ops::ScatterNDUpdate>(node) != nullptr) return scatter_nd(step);
    return {};
}

}  // namespace rondo::passes
