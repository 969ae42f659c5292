// What isn't computed from elements: ShapeOf, Range and RandomUniform.
#include "core/ops/source/source_ops.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/writer/ops/op_list.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

bool is_range_type(ElementType type) {
    return type == ElementType::f32 || type == ElementType::f64 || type == ElementType::i16 ||
           type == ElementType::i32 || type == ElementType::i64;
}

// The type to count in: what the numbers have if that is the result's, else one that holds them.
ElementType counting_type(WriteContext& context, ElementType result) {
    bool same = is_range_type(result);
    bool integral = true;
    for (std::size_t i = 0; i < 3; ++i) {
        same = same && context.type(i) == result;
        integral = integral && is_integral(context.type(i));
        if (context.type(i) == ElementType::u64 && result != ElementType::u64) {
            throw UnsupportedError("its numbers are u64; ONNX has no range of these");
        }
    }
    if (same) return result;
    return integral ? ElementType::i64 : ElementType::f64;
}

}  // namespace

Names write_shape_of(WriteContext& context) {
    const std::string shape = context.shape_of(context.input(0));
    return {context.cast(shape, ElementType::i64, context.op<ops::ShapeOf>().output_type())};
}

// Each number of ONNX's has rank 0.
Names write_range(WriteContext& context) {
    const ElementType result = context.op<ops::Range>().output_type();
    const ElementType type = counting_type(context, result);
    Names numbers;
    for (std::size_t i = 0; i < 3; ++i) numbers.push_back(context.scalar_input(i, type));
    return {context.cast(context.emit("Range", numbers), type, result)};
}

// Numbers in [0, 1), moved to the range.
Names write_random_uniform(WriteContext& context) {
    const auto& op = context.op<ops::RandomUniform>();
    const ElementType type = op.output_type(0);
    if (op.has_seed()) {
        throw UnsupportedError("its seed says which numbers it draws; ONNX leaves them open");
    }
    if (!is_floating(type)) throw UnsupportedError("ONNX draws no random integers");
    const std::string zeros = context.emit("ConstantOfShape", {context.wide_input(0)});
    const std::string drawn =
        context.emit("RandomUniformLike", {zeros}).with("dtype", onnx_from_element_type(type));
    const std::string length = context.emit("Sub", {context.input(2), context.input(1)});
    const std::string scaled = context.emit("Mul", {drawn, length});
    return context.emit("Add", {scaled, context.input(1)});
}

}  // namespace rondo::onnx
