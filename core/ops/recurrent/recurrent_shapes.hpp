// The checks of RecurrentOp::infer(), for recurrent_op.cpp.
// lint: allow(rooms): a part of recurrent_op.cpp in a file of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::ops {

/// RecurrentOp::infer(): checks attributes, types and shapes, and sets the outputs.
void infer_recurrent(const RecurrentOp& op, InferContext& context);

/// As RecurrentOp::resolved_activations(), but the ModelError doesn't name the node.
std::vector<std::vector<ActivationFunction>> resolve_activations_of(const RecurrentOp& op);

/// A message about the first length that isn't in [0, max], or nothing.
std::optional<std::string> find_bad_length(std::span<const std::int64_t> lengths, std::int64_t max);

}  // namespace rondo::ops
