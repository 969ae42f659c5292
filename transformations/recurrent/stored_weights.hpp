// Reads weights of recurrent layers as the file stores them, also f16 and bf16 before a Convert.
#pragma once

#include "core/ops/recurrent/recurrent_op.hpp"
#include "rondo/tensor.hpp"

namespace rondo::passes {

/// True where W, R, B and P are constants, Converts of constants or held with scales: a device
/// can pack them once.
bool has_constant_weights(const ops::RecurrentOp& op);

/// The constant that W or R (`port`) reads; where that is a constant of f16 or bf16 that a Convert
/// widens to f32, the constant before the Convert; of ops::HeldWeights its values. Empty where
/// there is none.
Tensor stored_weights(const ops::RecurrentOp& op, std::size_t port);

/// The factors of ops::HeldWeights that W or R (`port`) reads; else empty.
Tensor scales_of_weights(const ops::RecurrentOp& op, std::size_t port);

/// True where `reader` can take input `port`, W or R, as stored_weights() has it: all of its
/// weights are constants, and this one is f16 or bf16 that a Convert widens to f32.
bool reads_stored_weights(const Node& reader, std::size_t port);

/// True if every reader of a Convert does so, and none needs its result.
bool is_read_as_stored(const Node& convert);

}  // namespace rondo::passes
