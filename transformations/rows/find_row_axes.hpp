// Proves that the rows of a batch are independent, or names the op that breaks it.
#pragma once

#include "transformations/rows/prove_rows.hpp"

namespace rondo::passes {

/// Searches for axes that suit all inputs, results and variables: the first open axis of an input,
/// then the next ones; one row a stream, then several. An input is shared if it is a scalar or has
/// no open axis. One input at least has one row a stream.
/// Follows rows forward through Node::independent_axis() of each op, through views, computed shapes
/// and bodies; where the rank of a value depends on a condition that all streams share, it looks at
/// both cases. Throws ModelError for a hint that fits no input.
RowAxes find_row_axes(const Graph& graph, const RowAxesHint& hint);

}  // namespace rondo::passes
