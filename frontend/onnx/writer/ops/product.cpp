// Products of matrices.
#include <algorithm>

#include "core/ops/product/matmul.hpp"
#include "frontend/onnx/writer/ops/op_list.hpp"

namespace rondo::onnx {
namespace {

std::string operand(WriteContext& context, std::size_t index, bool transposed, ElementType type) {
    const std::string value = context.input_as(index, type);
    if (!transposed || context.rank(index) < 2) return value;
    Ints order = counted_ints(context.rank(index));
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    return context.transpose(value, order);
}

}  // namespace

Names write_matmul(WriteContext& context) {
    const auto& op = context.op<ops::MatMul>();
    const ElementType type = type_of_sums(context.type(0));
    const std::string a = operand(context, 0, op.transpose_a(), type);
    const std::string b = operand(context, 1, op.transpose_b(), type);
    return {context.cast(context.emit("MatMul", {a, b}), type, context.type(0))};
}

// ONNX's zero points are a scalar, or a number a row of a or a column of b; others are taken off in
// 32 bits.
Names write_matmul_integer(WriteContext& context) {
    if (context.is_scalar(2) && context.is_scalar(3)) return context.emit_same();
    const auto moved = [&](std::size_t index) -> std::string {
        return context.emit("Sub", {context.input_as(index, ElementType::i32),
                                    context.input_as(index + 2, ElementType::i32)});
    };
    return context.emit("MatMul", {moved(0), moved(1)});
}

}  // namespace rondo::onnx
