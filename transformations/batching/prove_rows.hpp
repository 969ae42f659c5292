// One proof that the rows of a batch are independent, or the op that breaks it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/transforms.hpp"
#include "transformations/batching/batch_edit.hpp"

namespace rondo::passes {

/// Axes that the user knows, by the name of an input or the id of a variable; nothing for one that
/// all streams share.
using RowAxesHint = std::map<std::string, std::optional<std::size_t>>;

/// Axes of a graph, and what it needs before it takes a batch along them.
struct RowPlan {
    RowAxes axes;
    std::vector<BatchEdit> edits;
    std::vector<std::int64_t> input_rows;  ///< one stream's rows of each input, as far as known
    /// The Ifs that were met before the obstacle, whose condition is the same for all streams if
    /// the inputs have the axes in `axes`.
    std::vector<const Node*> shared_choices;
};

/// As find_row_axes(), without looking at the cases of a condition.
RowPlan prove_rows(const Graph& graph, const RowAxesHint& hint);

/// The same for a graph whose batch is to be opened: where it fixes the number of rows, the plan
/// says what has to change.
RowPlan plan_batch(const Graph& graph, const RowAxesHint& hint = {});

/// A hint that says the axes of all inputs.
RowAxesHint hint_of(const Graph& graph, const RowAxes& axes);

/// Searches for axes that suit all inputs, results and variables: the first open axis of an input,
/// then the next ones; one row a stream, then several. An input is shared if it is a scalar or has
/// no open axis. One input at least has one row a stream.
/// Follows rows forward through Node::independent_axis() of each op, through views, computed shapes
/// and bodies; where the rank of a value depends on a condition that all streams share, it looks at
/// both cases. Throws ModelError for a hint that fits no input.
RowAxes find_row_axes(const Graph& graph, const RowAxesHint& hint);
/// The same for a graph of which nothing is known; the obstacle says so where set_batch() opens a
/// fixed batch.
RowAxes find_row_axes(const Graph& graph);

}  // namespace rondo::passes
