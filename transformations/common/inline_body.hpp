// Puts the nodes of a body into the graph around it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/ops/control/body_op.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

/// Replaces each output of `op` by what a result of the body is: `results` has the number of the
/// result for each output, `parameters` what each parameter of the body is outside. False where an
/// output of the model would lose its name or type: then nothing has changed.
bool inline_body(Rewriter& rewriter, ops::BodyOp& op, const Graph& body,
                 std::span<const Output> parameters, std::span<const std::size_t> results);

/// False where a replacement would change a type, or where two outputs of the model, or one and an
/// input, would become the same tensor.
bool can_replace_all(Node& node, std::span<const Output> by);

}  // namespace rondo::passes
