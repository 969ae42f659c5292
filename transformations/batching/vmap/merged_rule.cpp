// Runs ops that compute each element of axis 0 by itself on merged rows: [N*B,...].

#include <utility>

#include "core/extents/extent_origin.hpp"
#include "core/ops/elementwise/broadcasting.hpp"
#include "transformations/batching/vmap/lift_step.hpp"

namespace rondo::passes {
namespace {

// Whether NumPy's rule lets an extent of 1 serve all rows.
bool broadcasts(const Node& node, const IndependentAxis& axis) {
    const auto* op = as_op<ops::Broadcasting>(node);
    return axis.broadcasts && (op == nullptr || op->auto_broadcast() == ops::AutoBroadcast::numpy);
}

// Whether all inputs that have rows have as many elements along axis 0, one by one for the op.
bool have_common_rows(const LiftStep& step, const IndependentAxis& rows) {
    const Output* first = nullptr;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        if (!step.has_rows(i)) continue;
        if (rows.inputs[i] != 0 || step.rank(i) == 0) return false;
        const Output& own = step.inputs[i]->original;
        // Where an extent of 1 serves all, that isn't so once several rows are merged.
        if (first != nullptr && rows.broadcasts && !same_extent(*first, 0, own, 0)) return false;
        first = &own;
    }
    return first != nullptr;
}

// The inputs of the op on merged rows. Returns nothing if one of them can't have that form.
std::optional<std::vector<Output>> merged_inputs(const LiftStep& step, const IndependentAxis& rows,
                                                 bool with_repeats) {
    std::vector<Output> inputs;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        if (step.has_rows(i)) continue;
        const std::size_t axis = rows.inputs[i];
        if (axis == IndependentAxis::kWhole) continue;
        if (broadcasts(*step.node, rows) && step.shape(i)[axis] == Dimension(1)) continue;
        // An open extent may be 1, and then serves several.
        if (!with_repeats || (rows.broadcasts && !step.shape(i)[axis].is_static())) return {};
    }
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        const std::size_t axis = rows.inputs[i];
        if (step.has_rows(i)) {
            inputs.push_back(step.merged(i));
        } else if (axis == IndependentAxis::kWhole ||
                   (broadcasts(*step.node, rows) && step.shape(i)[axis] == Dimension(1))) {
            inputs.push_back(step.plain(i));
        } else {
            inputs.push_back(step.forms.tiled(step.plain(i), axis));
        }
    }
    return inputs;
}

std::optional<LiftedValues> lift(const LiftStep& step, bool with_repeats) {
    const Node& node = *step.node;
    if (node.traits().view || node.output_count() == 0 || node.output_shape(0).rank() == 0) {
        return {};
    }
    const auto rows = node.independent_axis(0, 0);
    if (!rows) return {};
    for (const std::size_t axis : rows->outputs) {
        if (axis != 0 && axis != IndependentAxis::kWhole) return {};
    }
    if (!have_common_rows(step, *rows)) return {};
    auto inputs = merged_inputs(step, *rows, with_repeats);
    if (!inputs) return {};
    const NodePtr made = step.clone(std::move(*inputs));
    LiftedValues outputs;
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        outputs.push_back(LiftedValue::rows_merged(Output(made, i)));
    }
    return outputs;
}

}  // namespace

std::optional<LiftedValues> lift_merged(const LiftStep& step) { return lift(step, false); }

std::optional<LiftedValues> lift_merged_and_repeated(const LiftStep& step) {
    return lift(step, true);
}

bool merges_by_itself(const LiftStep& step) {
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        if (step.has_rows(i) && !step.inputs[i]->merged && !step.is_single(i)) return false;
    }
    return true;
}

}  // namespace rondo::passes
