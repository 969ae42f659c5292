// Proves the independence of rows in each case of conditions that all streams share.
#pragma once

#include "transformations/rows/prove_rows.hpp"

namespace rondo::passes {

/// As prove_rows(). Where that fails behind an If whose outputs have no known rank and whose
/// condition is the same for all streams, both branches are proven, one after the other: the graph
/// with the condition as a constant, after the portable passes. A case that isn't valid never runs.
RowAxes rows_in_all_cases(const Graph& graph, const RowAxesHint& hint);

}  // namespace rondo::passes
