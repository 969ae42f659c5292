// What Loop and Scan have in common: values that go round, and bodies with tensors of their own.
#pragma once

#include <vector>

#include "core/ops/control/body_ports.hpp"
#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

/// Reads the body again and again until the shapes of the values that go round hold in every
/// iteration, and decides which sequences grow. `first` is the first of these among the inputs,
/// `first_result` among the outputs.
BodyGraph read_loop_body(NodeContext& context, BodyRequest request, std::size_t first,
                         std::size_t first_result, std::size_t count);

/// Gives each tensor that the body reads from around it an input of the op and a port.
void add_captured(const BodyGraph& body, std::vector<Output>& inputs, ops::BodyPorts& ports);

/// Throws ModelError unless the body has between `min` and `max` outputs.
void check_output_count(const BodyGraph& body, std::size_t min, std::size_t max);

}  // namespace rondo::onnx
