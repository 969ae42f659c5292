// Nodes apart from the graph they came from, for ops that run it as a part of themselves.
#pragma once

#include <memory>

#include "core/ops/movement/transpose.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::cpu {

/// A copy of any op, under its name: its inputs have the types and shapes of those that it had.
std::shared_ptr<const Node> detached(const Node& node);

/// A copy whose weights are those of the layer; its other inputs only have types and shapes.
std::shared_ptr<const ops::RecurrentOp> detached(const ops::RecurrentOp& layer);

/// A copy whose order is that of the Transpose.
std::shared_ptr<const ops::Transpose> detached(const ops::Transpose& transpose);

}  // namespace rondo::cpu
