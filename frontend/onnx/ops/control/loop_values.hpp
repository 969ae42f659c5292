// What the operators with bodies have in common: carried values, and tensors of the graph around.
#pragma once

#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

/// Reads the body again and again until the shapes of the carried values hold in every iteration,
/// and decides which sequences it carries as one tensor: BodyOutput::whole. `first` is the first of
/// these values among the inputs, `first_result` among the outputs; `request` is left as the body
/// was read.
BodyGraph read_loop_body(NodeContext& context, BodyRequest& request, std::size_t first,
                         std::size_t first_result, std::size_t count);

/// Whether nothing but `sequence` reads a tensor of its body.
bool is_unread(const Output& tensor, const Output& sequence);

/// Gives the body its own parameters and its results, and drops its outputs and the tensors from
/// around it that none of them needs.
void set_ends(BodyGraph& body, std::vector<NodePtr> parameters, std::vector<NodePtr> results);

/// Gives each tensor that the body reads from around it an input of the op and a port.
void add_captured(const BodyGraph& body, std::vector<Output>& inputs, ops::BodyPorts& ports);

/// Throws ModelError unless the body has between `min` and `max` outputs.
void check_output_count(const BodyGraph& body, std::size_t min, std::size_t max);

}  // namespace rondo::onnx
