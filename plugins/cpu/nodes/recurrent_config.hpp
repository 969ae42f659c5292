// From a recurrent op of the graph to the kernels' description of a layer.
#pragma once

#include "core/ops/recurrent_op.hpp"
#include "plugins/cpu/kernels/recurrent_sequence.hpp"

namespace rondo::cpu {

/// The layer that `op` means for an input size, with everything of the op's element type. A cell is
/// a layer of one direction.
SequenceConfig sequence_config(const ops::RecurrentOp& op, std::int64_t input_size);

/// Strides of one call, without pointers: X [N,T,I] or [N,I], states [N,D,H] or [N,H].
SequenceArgs sequence_args(const ops::RecurrentOp& op, const SequenceConfig& config,
                           const Shape& x);

}  // namespace rondo::cpu
