// Proves that the rows of a batch are independent, or names the op that breaks it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/row_axes.hpp"
#include "transformations/rows/batch_edit.hpp"

namespace rondo::passes {

/// Axes that the user knows, by the name of an input or the id of a variable; nothing for one that
/// all streams share.
using RowAxesHint = std::map<std::string, std::optional<std::size_t>>;

/// Axes of a graph, and what it needs before it takes a batch along them.
struct RowPlan {
    RowAxes axes;
    std::vector<BatchEdit> edits;
    const Node* breaker = nullptr;  ///< the op of the obstacle
};

/// Searches for axes that suit all inputs, results and variables: axis 0 of the inputs first, then
/// other axes of extent 1 or an open one. An input is shared if it is a scalar or has no such axis.
/// Follows rows forward through Node::independent_axis() of each op, through views, computed shapes
/// and bodies. Throws ModelError for a hint that fits no input.
RowAxes find_row_axes(const Graph& graph, const RowAxesHint& hint);

/// The same for a graph whose batch is to be opened: where it fixes the number of rows, the plan
/// says what has to change.
RowPlan plan_batch(const Graph& graph, const RowAxesHint& hint = {});

}  // namespace rondo::passes
