// Functions of the bits of integers.
#include "core/ops/elementwise/binary.hpp"
#include "core/ops/elementwise/unary.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

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

}  // namespace rondo::onnx
