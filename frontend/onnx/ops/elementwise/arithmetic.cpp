#include "core/ops/elementwise/binary_elementwise.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/converters.hpp"

namespace rondo::onnx {

std::vector<Output> convert_add(NodeContext& context) {
    return {context.make<ops::Add>("", context.input(0), context.input(1))};
}

std::vector<Output> convert_sub(NodeContext& context) {
    return {context.make<ops::Subtract>("", context.input(0), context.input(1))};
}

std::vector<Output> convert_mul(NodeContext& context) {
    return {context.make<ops::Multiply>("", context.input(0), context.input(1))};
}

// ONNX divides integers as C does; the IR's Divide rounds down unless told otherwise.
std::vector<Output> convert_div(NodeContext& context) {
    auto divide = std::make_shared<ops::Divide>(context.input(0), context.input(1));
    divide->set_python_division(false);
    return {context.finish(divide, "")};
}

// x * -1 keeps the sign of zero right, which 0 - x doesn't.
std::vector<Output> convert_neg(NodeContext& context) {
    const Output x = context.input(0);
    const ElementType type = NodeContext::known_type(x, "X");
    return {context.make<ops::Multiply>("", x, make_filled(context, "minus_one", type, {}, -1))};
}

std::vector<Output> convert_reciprocal(NodeContext& context) {
    const Output x = context.input(0);
    const ElementType type = NodeContext::known_type(x, "X");
    return {context.make<ops::Divide>("", make_filled(context, "one", type, {}, 1), x)};
}

}  // namespace rondo::onnx
