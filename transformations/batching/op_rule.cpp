// How rows pass through an op that says itself how they depend on the rows of its inputs.

#include <algorithm>

#include "core/extents/extent_origin.hpp"
#include "core/ops/common/independent_axes.hpp"
#include "core/ops/source/source_ops.hpp"

#include "transformations/batching/row_rules.hpp"
#include "transformations/batching/row_value.hpp"

namespace rondo::passes {
namespace {

// Whether one stream can't have both numbers of rows.
bool contradict(const ExtentSum& a, const ExtentSum& b) {
    return a.number() && b.number() && *a.number() != *b.number();
}

// The rows of one stream, if all inputs that have rows have those that the op treats one by one.
std::optional<ExtentSum> common_rows(const RowStep& step, const IndependentAxis& rows) {
    std::optional<ExtentSum> extent;
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

std::optional<RowValues> try_axis(const RowStep& step, std::size_t axis) {
    const auto rows = step.node.independent_axis(0, axis);
    const auto extent = rows ? common_rows(step, *rows) : std::nullopt;
    if (!extent) return {};
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        if (!step.inputs[i].has_rows && !ops::serves_all_rows(step.node, *rows, i)) {
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

std::optional<Integers> extents_with_streams(const Output& data, const RowValue& rows) {
    if (!data.shape().has_rank()) return {};
    Integers extents;
    for (std::size_t axis = 0; axis < data.shape().rank(); ++axis) {
        const bool has_rows = rows.has_rows && rows.axis == axis;
        extents.push_back(has_rows ? rows.extent.times(number_of_streams())
                                   : extent_of(data, axis));
    }
    return extents;
}

// Whether each element is n times as large with n streams, or the same.
bool grow_evenly(const Integers& elements) {
    return std::all_of(elements.begin(), elements.end(), [](const Integer& element) {
        if (!counts_streams(element)) return true;
        return std::all_of(element->terms().begin(), element->terms().end(), [](const auto& term) {
            return std::count_if(term.symbols.begin(), term.symbols.end(),
                                 [](const auto& symbol) { return symbol.is_variable(); }) == 1;
        });
    });
}

// The elements of an output, which follow from the shapes or the elements of the inputs.
std::optional<Integers> elements_of(const RowStep& step, std::size_t output) {
    const Node& node = step.node;
    if (as_op<ops::ShapeOf>(node) != nullptr) {
        return extents_with_streams(node.input(0), step.inputs[0]);
    }
    if (step.has_rows()) return {};
    std::vector<std::optional<Integers>> inputs;
    for (const RowValue& input : step.inputs) inputs.push_back(input.elements);
    auto elements = computed_integers(node, output, inputs, Arithmetic::meant);
    return elements && grow_evenly(*elements) ? elements : std::nullopt;
}

RowValues without_rows(const RowStep& step) {
    RowValues outputs(step.node.output_count());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        outputs[i].elements = elements_of(step, i);
        if (!outputs[i].elements && (step.counts_streams() || step.has_rows())) {
            step.fail("it computes with the number of streams");
        }
    }
    return outputs;
}

}  // namespace

RowValues rows_of_op(const RowStep& step) {
    if (step.node.traits().random) step.fail("it draws other numbers for several streams");
    if (!step.has_rows() || step.node.traits().reads_shapes_only) return without_rows(step);
    if (step.counts_streams()) step.fail("it computes with the number of streams");
    if (step.node.output_count() > 0 && step.node.has_ranks()) {
        for (std::size_t axis = 0; axis < step.node.output_shape(0).rank(); ++axis) {
            if (auto outputs = try_axis(step, axis)) return std::move(*outputs);
        }
    }
    step.fail_at_rows();
}

}  // namespace rondo::passes
