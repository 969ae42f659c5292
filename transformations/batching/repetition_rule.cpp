// How rows pass through Broadcast and Tile, which may make a row for each stream.

#include <algorithm>
#include <utility>

#include "core/extents/extent_origin.hpp"
#include "core/graph/constants.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/batching/row_rules.hpp"

namespace rondo::passes {
namespace {

// Which axes of an output are those of an input that meets its last ones.
std::optional<std::size_t> met_axis(std::size_t output_axis, std::size_t output_rank,
                                    std::size_t input_rank) {
    const std::size_t missing = output_rank - input_rank;
    return output_axis < missing ? std::nullopt : std::optional(output_axis - missing);
}

// The only element that counts streams.
std::optional<std::size_t> counted(const RowStep& step, const Integers& elements) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (!counts_streams(elements[i])) continue;
        if (found) step.fail("two of its extents count the streams");
        found = i;
    }
    return found;
}

// The axis of the data that becomes that axis of the output.
std::optional<std::size_t> data_axis(const RowStep& step, const ops::Broadcast& node,
                                     std::size_t axis) {
    const std::size_t rank = node.output_shape(0).rank();
    const auto axes = ops::broadcast_axes(context_of(node), node.mode(), rank);
    if (!axes) step.fail("the axes of its data aren't known");
    for (std::size_t i = 0; i < axes->size(); ++i) {
        if ((*axes)[i] == axis) return i;
    }
    return {};
}

RowValue with_choices(const RowStep& step, std::size_t axis, const ExtentSum& extent) {
    RowValue value = RowValue::rows(axis, extent);
    value.choices = step.choices();
    return value;
}

// The data is the same for all streams and becomes rows by repetition.
std::optional<RowValues> repeated(const RowStep& step, const ops::Broadcast& node) {
    const auto& target = *step.inputs[1].elements;
    const auto place = counted(step, target);
    if (!place) return {};
    const std::size_t axis = *place + node.output_shape(0).rank() - target.size();
    const auto from = data_axis(step, node, axis);
    if (from && node.input(0).shape()[*from] != Dimension(1)) {
        step.fail("its data is the same for all streams; expected extent 1 along axis " +
                  std::to_string(*from));
    }
    return RowValues{with_choices(step, axis, target[*place]->without_variables())};
}

bool target_fits(const ops::Broadcast& node, const Integer& element, const ExtentSum& rows) {
    if (counts_streams(element)) return element->without_variables() == rows;
    return node.mode() == ops::BroadcastMode::bidirectional && number_of(element) == 1;
}

// The rows of the data stay: the target has as many.
RowValues kept(const RowStep& step, const ops::Broadcast& node) {
    const RowValue& data = step.inputs[0];
    const std::size_t rank = node.output_shape(0).rank();
    const auto axes = ops::broadcast_axes(context_of(node), node.mode(), rank);
    if (!axes) step.fail("the axes of its data aren't known");
    const std::size_t axis = axes->at(data.axis);
    if (!step.inputs[1].elements) step.fail("its target isn't known");
    const auto& target = *step.inputs[1].elements;
    const auto place = counted(step, target);
    const auto own = met_axis(axis, rank, target.size());
    if (place && place != own) step.fail("it repeats rows for each stream");
    if (own && !target_fits(node, target[*own], data.extent)) {
        const auto extent = data.extent.number();
        if (step.edits == nullptr || !extent || number_of(target[*own]) != extent) {
            step.fail("its target doesn't have the number of streams at axis " +
                      std::to_string(axis));
        }
        step.edits->push_back({BatchEdit::Kind::shape, &step.node, 0, axis, 0, data.axis, *extent});
    }
    return {with_choices(step, axis, data.extent)};
}

std::optional<RowValues> rows_of_broadcast(const RowStep& step, const ops::Broadcast& node) {
    if (!node.input(0).shape().has_rank() || !node.output_shape(0).has_rank()) return {};
    if (step.inputs[1].has_rows) step.fail("its target depends on the rows");
    if (step.inputs[0].has_rows) return kept(step, node);
    return step.inputs[1].elements ? repeated(step, node) : std::nullopt;
}

std::optional<RowValues> rows_of_tile(const RowStep& step, const ops::Tile& node) {
    const PartialShape& data = node.input(0).shape();
    const auto& repeats = step.inputs[1].elements;
    if (!repeats || step.inputs[0].has_rows || !data.has_rank()) return {};
    const auto place = counted(step, *repeats);
    if (!place) return {};
    const std::size_t rank = std::max(data.rank(), repeats->size());
    const std::size_t axis = *place + rank - repeats->size();
    Integer extent = (*repeats)[*place]->without_variables();
    if (const auto from = met_axis(axis, rank, data.rank())) {
        extent = extent->times(extent_of(node.input(0), *from));
    }
    if (!extent) return {};
    return RowValues{with_choices(step, axis, *extent)};
}

}  // namespace

std::optional<RowValues> rows_of_repetition(const RowStep& step) {
    if (const auto* op = as_op<ops::Broadcast>(step.node)) return rows_of_broadcast(step, *op);
    if (const auto* op = as_op<ops::Tile>(step.node)) return rows_of_tile(step, *op);
    return {};
}

}  // namespace rondo::passes
