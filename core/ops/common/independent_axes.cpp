#include "core/ops/common/independent_axes.hpp"

#include <utility>

namespace rondo::ops {

std::optional<std::vector<bool>> named_among(const std::vector<std::int64_t>& axes,
                                             std::size_t rank) {
    const auto signed_rank = static_cast<std::int64_t>(rank);
    std::vector<bool> named(rank);
    for (const std::int64_t axis : axes) {
        if (axis < -signed_rank || axis >= signed_rank) return std::nullopt;
        named[static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis)] = true;
    }
    return named;
}

IndependentAxis rows_of_data(const Node& node, std::size_t axis, std::size_t data_axis) {
    IndependentAxis rows(node.input_count(), node.output_count(), axis);
    rows.inputs[0] = data_axis;
    return rows;
}

std::optional<IndependentAxis> rows_beside_named_axis(const Node& node, std::size_t axis,
                                                      std::size_t axis_input) {
    const auto axes = constant_ints(node.input(axis_input));
    if (!axes) return std::nullopt;
    const auto named = named_among(*axes, node.input(0).shape().rank());
    if (!named || (*named)[axis]) return std::nullopt;
    return rows_of_data(node, axis, axis);
}

bool serves_all_rows(const Node& node, const IndependentAxis& rows, std::size_t input) {
    const std::size_t axis = rows.inputs[input];
    if (axis == IndependentAxis::kWhole) return true;
    return rows.broadcasts && node.input(input).shape()[axis] == Dimension(1);
}

}  // namespace rondo::ops
