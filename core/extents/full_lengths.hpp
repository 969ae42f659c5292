// Lengths of the rows of a batch that certainly are all of the time.
#pragma once

#include "core/graph/node.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/support/function_ref.hpp"

namespace rondo {

/// The value of which all elements are copies: above Broadcasts, Converts to i64 and i32, and views
/// that `passes` takes.
Output repeated_value(Output value, FunctionRef<bool(const Node& view)> passes);

/// True if all rows of a sequence have T steps for certain: its lengths are a constant that holds
/// T, or the extent T itself, read from X or from a tensor that X comes from, broadcast to all
/// rows. Cells have no lengths: true.
bool lengths_are_full(const ops::RecurrentOp& node);

}  // namespace rondo
