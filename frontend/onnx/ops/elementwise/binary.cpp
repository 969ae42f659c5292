// Arithmetic of two tensors: a row an operator.
#include "core/ops/elementwise/binary.hpp"

#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

template <BinaryFunction function>
std::vector<Output> binary(NodeContext& context) {
    const Operands operands = operands_of(context);
    const auto node = std::make_shared<ops::Binary>(function, operands.a, operands.b);
    node->set_auto_broadcast(operands.rule);
    node->set_python_division(false);  // ONNX's Div rounds integers towards zero
    return {context.finish(node, "")};
}

std::vector<Output> mod(NodeContext& context) {
    const bool truncates = context.attributes().flag("fmod", false);
    return truncates ? binary<BinaryFunction::mod>(context)
                     : binary<BinaryFunction::floor_mod>(context);
}

std::vector<Output> reciprocal(NodeContext& context) {
    skip_consumed_inputs(context);
    const Output x = context.input(0);
    const ElementType type = NodeContext::known_type(x, "X");
    return {context.make<ops::Binary>("", BinaryFunction::divide,
                                      make_filled(context, "one", type, {}, 1), x)};
}

// keep-sorted
constexpr OpEntry kEntries[] = {
    {"", "Add", 1, binary<BinaryFunction::add>},
    {"", "Div", 1, binary<BinaryFunction::divide>},
    {"", "Mod", 10, mod},
    {"", "Mul", 1, binary<BinaryFunction::multiply>},
    {"", "Reciprocal", 1, reciprocal},
    {"", "Sub", 1, binary<BinaryFunction::subtract>},
};

}  // namespace

std::span<const OpEntry> binary_converters() { return kEntries; }

}  // namespace rondo::onnx
