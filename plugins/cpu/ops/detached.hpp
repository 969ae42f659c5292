// Copies of nodes without their graph, for ops that contain other ops.
#pragma once

#include <memory>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::cpu {

/// A copy of any op, under its name: its inputs have the original types and shapes, and constants
/// of one element.
std::shared_ptr<const Node> detached(const Node& node);

/// A copy with the layer's weights; its other inputs only have types and shapes.
std::shared_ptr<const ops::RecurrentOp> detached(const ops::RecurrentOp& layer);

/// A copy with the Transpose's order.
std::shared_ptr<const ops::Transpose> detached(const ops::Transpose& transpose);

}  // namespace rondo::cpu
