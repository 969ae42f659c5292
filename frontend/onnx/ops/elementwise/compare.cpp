// Comparisons of two tensors, a row an operator; and what asks for special values.
#include "core/ops/elementwise/compare.hpp"

#include <limits>

#include "core/ops/elementwise/unary.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
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

}  // namespace rondo::onnx
