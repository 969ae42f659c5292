// Nodes apart from the graph they came from, for ops that run it as a part of themselves.
#pragma once

#include <memory>

#include "core/ops/movement/transpose.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::cpu {

/// A copy whose inputs, but for the weights, stand for whatever comes in.
std::shared_ptr<const ops::RecurrentOp> detached(const ops::RecurrentOp& layer);

/// The same of a Transpose, but for its order.
std::shared_ptr<const ops::Transpose> detached(const ops::Transpose& transpose);

}  // namespace rondo::cpu
