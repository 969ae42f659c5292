// Whether steps of several streams can run as one inference, and along which axes.
#pragma once

#include <cstddef>

#include "core/graph/graph.hpp"
#include "core/runtime/transforms.hpp"

namespace rondo {

/// The row axes of a compiled graph, `proven` by find_row_axes(), if its rows are independent and
/// the batch may have any extent up to `max_batch`; else none, and the obstacle.
RowAxes rows_for_batches(const Graph& graph, const RowAxes& proven, std::size_t max_batch);

/// The number of rows that an inference of `steps` steps has: plans are made for a few numbers
/// only, and what is too many are repetitions of the first step. At most a quarter, and none of up
/// to 8 steps.
std::size_t planned_rows(std::size_t steps, std::size_t max_batch);

/// How many numbers of rows there are up to `max_batch`.
std::size_t planned_row_counts(std::size_t max_batch);

}  // namespace rondo
