// Arithmetic of two tensors: a row an operator.
#include "core/ops/elementwise/binary.hpp"

#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"

namespace rondo::onnx {

using ops::BinaryFunction;

std::vector<Output> convert_binary(NodeContext& context, BinaryFunction function) {
    const Operands operands = operands_of(context);
    const auto node = std::make_shared<ops::Binary>(function, operands.a, operands.b);
    node->set_auto_broadcast(operands.rule);
    node->set_python_division(false);  // ONNX's Div rounds integers towards zero
    return {context.finish(node, "")};
}

std::vector<Output> convert_mod(NodeContext& context) {
    const bool truncates = context.attributes().flag("fmod", false);
    return truncates ? convert_binary(context, BinaryFunction::mod)
                     : convert_binary(context, BinaryFunction::floor_mod);
}

std::vector<Output> convert_reciprocal(NodeContext& context) {
    skip_consumed_inputs(context);
    const Output x = context.input(0);
    const ElementType type = NodeContext::known_type(x, "X");
    return {context.make<ops::Binary>("", BinaryFunction::divide,
                                      make_filled(context, "one", type, {}, 1), x)};
}

}  // namespace rondo::onnx
