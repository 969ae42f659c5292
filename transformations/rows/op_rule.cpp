// How rows pass through an op that says itself how they depend on the rows of its inputs.

#include <algorithm>

#include "transformations/rows/row_rules.hpp"
#include "transformations/rows/row_value.hpp"

namespace rondo::passes {
namespace {

bool all_ranks_are_known(const Node& node) {
    for (const Output& input : node.inputs()) {
        if (!input.shape().has_rank()) return false;
    }
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        if (!node.output_shape(i).has_rank()) return false;
    }
    return true;
}

// Whether one stream can't have both numbers of rows.
bool contradict(const ExtentProduct& a, const ExtentProduct& b) {
    return a.number() && b.number() && *a.number() != *b.number();
}

// The rows of one stream, if all inputs that have rows have those that the op treats one by one.
std::optional<ExtentProduct> common_rows(const RowStep& step, const IndependentAxis& rows) {
    std::optional<ExtentProduct> extent;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        const RowValue& input = step.inputs[i];
        if (!input.has_rows) continue;
        if (rows.inputs[i] != input.axis) return {};
        // One row a stream doesn't serve several, once there is more than one stream.
        if (rows.broadcasts && extent && !(*extent == input.extent)) return {};
        // Elsewhere the op itself demands as many.
        if (extent && contradict(*extent, input.extent)) return {};
        if (!extent || input.extent.number()) extent = input.extent;
    }
    return extent;
}

// Whether an input without rows serves all streams as it is.
bool serves_all(const RowStep& step, const IndependentAxis& rows, std::size_t input) {
    const std::size_t axis = rows.inputs[input];
    if (axis == IndependentAxis::kWhole) return true;
    return rows.broadcasts && step.node.input(input).shape()[axis] == Dimension(1);
}

std::optional<RowValues> try_axis(const RowStep& step, std::size_t axis) {
    const auto rows = step.node.independent_axis(0, axis);
    const auto extent = rows ? common_rows(step, *rows) : std::nullopt;
    if (!extent) return {};
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        if (!step.inputs[i].has_rows && !serves_all(step, *rows, i)) {
            step.repeat(i, rows->inputs[i]);
        }
    }
    RowValues outputs;
    for (const std::size_t output_axis : rows->outputs) {
        const bool is_read = output_axis != IndependentAxis::kWhole;
        outputs.push_back(is_read ? RowValue::rows(output_axis, *extent) : RowValue());
    }
    return outputs;
}

RowValues without_rows(const RowStep& step) {
    RowValues outputs(step.node.output_count());
    if (auto elements = elements_of_output(step.node, step.inputs)) {
        outputs[0].elements = std::move(elements);
    } else if (step.counts_streams() || step.has_rows()) {
        step.fail("it computes with the number of streams");
    }
    return outputs;
}

}  // namespace

RowValues rows_of_op(const RowStep& step) {
    if (step.node.traits().random) step.fail("it draws other numbers for several streams");
    if (!step.has_rows() || step.node.traits().reads_shapes_only) return without_rows(step);
    if (step.counts_streams()) step.fail("it computes with the number of streams");
    if (step.node.output_count() > 0 && all_ranks_are_known(step.node)) {
        for (std::size_t axis = 0; axis < step.node.output_shape(0).rank(); ++axis) {
            if (auto outputs = try_axis(step, axis)) return std::move(*outputs);
        }
    }
    step.fail_at_rows();
}

}  // namespace rondo::passes
