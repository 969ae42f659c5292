// Functions of the bits of integers.
#include "core/ops/elementwise/binary.hpp"
#include "core/ops/elementwise/unary.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

template <BinaryFunction function>
std::vector<Output> bitwise(NodeContext& context) {
    return {context.make<ops::Binary>("", function, context.input(0), context.input(1))};
}

std::vector<Output> bitwise_not(NodeContext& context) {
    return {context.make<ops::Unary>("", ops::UnaryFunction::bitwise_not, context.input(0))};
}

std::vector<Output> bit_shift(NodeContext& context) {
    const auto direction = context.attributes().find_string("direction");
    if (!direction) throw ModelError("attribute 'direction' is missing");
    if (*direction == "LEFT") return bitwise<BinaryFunction::bitwise_left_shift>(context);
    if (*direction == "RIGHT") return bitwise<BinaryFunction::bitwise_right_shift>(context);
    throw ModelError("attribute 'direction' is '" + *direction + "'; expected 'LEFT' or 'RIGHT'");
}

// keep-sorted
constexpr OpEntry kEntries[] = {
    {"", "BitShift", 11, bit_shift},
    {"", "BitwiseAnd", 18, bitwise<BinaryFunction::bitwise_and>},
    {"", "BitwiseNot", 18, bitwise_not},
    {"", "BitwiseOr", 18, bitwise<BinaryFunction::bitwise_or>},
    {"", "BitwiseXor", 18, bitwise<BinaryFunction::bitwise_xor>},
};

}  // namespace

std::span<const OpEntry> bitwise_converters() { return kEntries; }

}  // namespace rondo::onnx
