// Conv without its bias, for the operators that are made of it.
#pragma once

#include <string>

#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

/// The convolution of X by the filters W, as the node's attributes say. `role` names the op.
Output convolved(NodeContext& context, const std::string& role, const Output& data,
                 const Output& filters);

/// A number for each filter, [M], in the shape [1,M,1,...] of a convolution's result; others stay
/// as they are.
Output along_filters(NodeContext& context, const std::string& role, const Output& vector,
                     const Output& data, const Output& filters);

}  // namespace rondo::onnx
