// What the ops' answers to Node::independent_axis() have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/constants.hpp"
#include "core/graph/node.hpp"

namespace rondo::ops {

/// Whether each of `rank` axes is among the `axes`, of which negative ones count from the end;
/// empty if one is out of range.
std::optional<std::vector<bool>> named_among(const std::vector<std::int64_t>& axes,
                                             std::size_t rank);

/// Rows along `axis` of every output that follow from rows along `data_axis` of input 0 alone; the
/// other inputs count as a whole.
IndependentAxis rows_of_data(const Node& node, std::size_t axis, std::size_t data_axis);

/// For an op that keeps the axes of its data: rows along `axis` unless that is the constant axis
/// which input `axis_input` names.
std::optional<IndependentAxis> rows_beside_named_axis(const Node& node, std::size_t axis,
                                                      std::size_t axis_input);

/// Whether each row reads the same of an input: all of it, or its one row, which is broadcast.
bool serves_all_rows(const Node& node, const IndependentAxis& rows, std::size_t input);

}  // namespace rondo::ops
