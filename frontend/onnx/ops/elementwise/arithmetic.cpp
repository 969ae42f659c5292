#include "core/ops/elementwise/binary.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/converters.hpp"

namespace rondo::onnx {

std::vector<Output> convert_add(NodeContext& context) {
    return {context.make<ops::Binary>("", ops::BinaryFunction::add, context.input(0),
                                      context.input(1))};
}

std::vector<Output> convert_sub(NodeContext& context) {
    return {context.make<ops::Binary>("", ops::BinaryFunction::subtract, context.input(0),
                                      context.input(1))};
}

std::vector<Output> convert_mul(NodeContext& context) {
    return {context.make<ops::Binary>("", ops::BinaryFunction::multiply, context.input(0),
                                      context.input(1))};
}

// ONNX divides integers as C does; the IR's Divide rounds down unless told otherwise.
std::vector<Output> convert_div(NodeContext& context) {
    auto divide = std::make_shared<ops::Binary>(ops::BinaryFunction::divide, context.input(0),
                                                context.input(1));
    divide->set_python_division(false);
    return {context.finish(divide, "")};
}

// x * -1 keeps the sign of zero right, which 0 - x doesn't.
std::vector<Output> convert_neg(NodeContext& context) {
    const Output x = context.input(0);
    const ElementType type = NodeContext::known_type(x, "X");
    return {context.make<ops::Binary>("", ops::BinaryFunction::multiply, x,
                                      make_filled(context, "minus_one", type, {}, -1))};
}

std::vector<Output> convert_reciprocal(NodeContext& context) {
    const Output x = context.input(0);
    const ElementType type = NodeContext::known_type(x, "X");
    return {context.make<ops::Binary>("", ops::BinaryFunction::divide,
                                      make_filled(context, "one", type, {}, 1), x)};
}

}  // namespace rondo::onnx
