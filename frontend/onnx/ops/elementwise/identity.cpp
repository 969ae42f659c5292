// Converts Identity: the tensor gets one more name.
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"

namespace rondo::onnx {

// No node: the tensor gets one more name.
std::vector<Output> convert_identity(NodeContext& context) { return {context.any_input(0)}; }

}  // namespace rondo::onnx
