// Says which recurrent ops OpenVINO has no op for, or runs otherwise.
#pragma once

#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::passes {

/// True for ops of `rondo1` (peepholes, input_forget, other activation functions, a set of them for
/// each direction), and for sequences with lengths that may be below T behind an X with open
/// extents: OpenVINO's CPU plugin computes all T steps of these. False where the rank of X isn't
/// known: that plugin runs no such tensor.
bool needs_lowering(const ops::RecurrentOp& op);

}  // namespace rondo::passes
