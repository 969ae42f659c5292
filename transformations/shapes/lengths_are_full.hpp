// Finds out whether every row of a sequence is as long as the time axis.
#pragma once

#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::passes {

/// True if that is certain for all shapes: a constant that holds T, or the
/// extent T itself, read from X or from a tensor that X comes from, broadcast to all rows. Cells
/// have no lengths: true.
bool lengths_are_full(const ops::RecurrentOp& node);

}  // namespace rondo::passes
