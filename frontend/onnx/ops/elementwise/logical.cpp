// Functions of two boolean tensors: a row an operator.
#include "core/ops/elementwise/logical.hpp"

#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"

namespace rondo::onnx {

using ops::LogicalFunction;

std::vector<Output> convert_logical(NodeContext& context, LogicalFunction function) {
    const Operands operands = operands_of(context);
    const auto node = std::make_shared<ops::Logical>(function, operands.a, operands.b);
    node->set_auto_broadcast(operands.rule);
    return {context.finish(node, "")};
}

}  // namespace rondo::onnx
