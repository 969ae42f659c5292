// Functions of two boolean tensors: a row an operator.
#include "core/ops/elementwise/logical.hpp"

#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"

namespace rondo::onnx {
namespace {

using ops::LogicalFunction;

template <LogicalFunction function>
std::vector<Output> logical(NodeContext& context) {
    const Operands operands = operands_of(context);
    const auto node = std::make_shared<ops::Logical>(function, operands.a, operands.b);
    node->set_auto_broadcast(operands.rule);
    return {context.finish(node, "")};
}

// keep-sorted
constexpr OpEntry kEntries[] = {
    {"", "And", 1, logical<LogicalFunction::logical_and>},
    {"", "Or", 1, logical<LogicalFunction::logical_or>},
    {"", "Xor", 1, logical<LogicalFunction::logical_xor>},
};

}  // namespace

std::span<const OpEntry> logical_converters() { return kEntries; }

}  // namespace rondo::onnx
