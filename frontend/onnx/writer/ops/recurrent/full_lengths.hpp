// Lengths of a sequence that say nothing: each is all of X.
#pragma once

#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::onnx {

/// Whether all rows are certainly as long as X. ONNX's operator then has no lengths.
bool lengths_are_full(const ops::RecurrentOp& op);

}  // namespace rondo::onnx
