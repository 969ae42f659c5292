// Operators that become one elementwise op each, a row an operator: functions of one tensor or two,
// comparisons, functions of bits, Where; and Identity.
#include <limits>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

using ops::UnaryFunction;

std::vector<Output> convert_unary(NodeContext& context, UnaryFunction function) {
    skip_consumed_inputs(context);
    return {context.make<ops::Unary>("", function, context.input(0))};
}

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

namespace {

using ops::CompareFunction;

// X, whose type is known and floating.
Output floating_input(NodeContext& context) {
    const Output x = context.input(0);
    const ElementType type = NodeContext::known_type(x, "X");
    if (is_floating(type)) return x;
    throw UnsupportedError("the input is " + std::string(to_string(type)) +
                           "; expected a floating type");
}

}  // namespace

std::vector<Output> convert_compare(NodeContext& context, CompareFunction function) {
    const Operands operands = operands_of(context);
    const auto node = std::make_shared<ops::Compare>(function, operands.a, operands.b);
    node->set_auto_broadcast(operands.rule);
    return {context.finish(node, "")};
}

// Only NaN differs from itself.
std::vector<Output> convert_is_nan(NodeContext& context) {
    const Output x = floating_input(context);
    return {context.make<ops::Compare>("", CompareFunction::not_equal, x, x)};
}

std::vector<Output> convert_is_inf(NodeContext& context) {
    const bool negative = context.attributes().flag("detect_negative", true);
    const bool positive = context.attributes().flag("detect_positive", true);
    const Output x = floating_input(context);
    const ElementType type = x.element_type();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const Output infinity =
        make_filled(context, "infinity", type, {}, negative && !positive ? -kInfinity : kInfinity);
    if (!negative && !positive) {  // x > infinity: false everywhere
        return {context.make<ops::Compare>("", CompareFunction::greater, x, infinity)};
    }
    const Output size =
        negative && positive
            ? Output(context.make<ops::Unary>("magnitude", ops::UnaryFunction::abs, x))
            : x;
    return {context.make<ops::Compare>("", CompareFunction::equal, size, infinity)};
}

using ops::LogicalFunction;

std::vector<Output> convert_logical(NodeContext& context, LogicalFunction function) {
    const Operands operands = operands_of(context);
    const auto node = std::make_shared<ops::Logical>(function, operands.a, operands.b);
    node->set_auto_broadcast(operands.rule);
    return {context.finish(node, "")};
}

using ops::BinaryFunction;

std::vector<Output> convert_bitwise(NodeContext& context, BinaryFunction function) {
    return {context.make<ops::Binary>("", function, context.input(0), context.input(1))};
}

std::vector<Output> convert_bitwise_not(NodeContext& context) {
    return {context.make<ops::Unary>("", ops::UnaryFunction::bitwise_not, context.input(0))};
}

std::vector<Output> convert_bit_shift(NodeContext& context) {
    const auto direction = context.attributes().find_string("direction");
    if (!direction) throw ModelError("attribute 'direction' is missing");
    if (*direction == "LEFT") return convert_bitwise(context, BinaryFunction::bitwise_left_shift);
    if (*direction == "RIGHT") return convert_bitwise(context, BinaryFunction::bitwise_right_shift);
    throw ModelError("attribute 'direction' is '" + *direction + "'; expected 'LEFT' or 'RIGHT'");
}

std::vector<Output> convert_where(NodeContext& context) {
    return {context.make<ops::Select>("", context.input(0), context.input(1), context.input(2))};
}

// No node: the tensor gets one more name.
std::vector<Output> convert_identity(NodeContext& context) { return {context.any_input(0)}; }

}  // namespace rondo::onnx
