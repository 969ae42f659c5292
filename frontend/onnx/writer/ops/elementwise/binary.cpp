// Arithmetic of two tensors: one operator, or a composition where ONNX rounds or wraps otherwise.
#include "core/ops/elementwise/elementwise_ops.hpp"

#include "core/support/tables.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/elementwise/writers.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

struct Operands {
    std::string a;
    std::string b;
    ElementType type;
};

ElementType unsigned_of(ElementType type) {
    switch (type) {
        case ElementType::i8: return ElementType::u8;
        case ElementType::i16: return ElementType::u16;
        case ElementType::i32: return ElementType::u32;
        case ElementType::i64: return ElementType::u64;
        default: return type;
    }
}

bool is_signed_integer(ElementType type) { return unsigned_of(type) != type; }

std::string is_negative(WriteContext& context, const std::string& value, ElementType type) {
    return context.emit("Less", {value, context.number(type, 0)});
}

// The remainder that has the dividend's sign.
std::string remainder(WriteContext& context, const Operands& operands) {
    return context.emit("Mod", {operands.a, operands.b}).with_int("fmod", 1);
}

// Whether the remainder isn't 0 and has another sign than the divisor: rounding down then gives
// one less than rounding towards zero.
std::string is_cut_up(WriteContext& context, const std::string& rest, const Operands& operands) {
    const ElementType type = operands.type;
    const std::string differ = context.emit(
        "Xor", {is_negative(context, rest, type), is_negative(context, operands.b, type)});
    const std::string zero = context.emit("Equal", {rest, context.number(type, 0)});
    return context.emit("And", {differ, context.emit("Not", {zero})});
}

// Div of integers rounds towards zero in ONNX.
std::string divide(WriteContext& context, const Operands& operands) {
    const std::string quotient = context.emit("Div", {operands.a, operands.b});
    if (!is_signed_integer(operands.type) || !context.op<ops::Binary>().python_division()) {
        return quotient;
    }
    const std::string cut = is_cut_up(context, remainder(context, operands), operands);
    return context.emit("Sub", {quotient, context.cast(cut, ElementType::boolean, operands.type)});
}

// Mod takes the divisor's sign of integers alone. A remainder of 0 has the sign, too.
std::string floor_mod(WriteContext& context, const Operands& operands) {
    const ElementType type = operands.type;
    if (!is_floating(type)) return context.emit("Mod", {operands.a, operands.b});
    const std::string rest = remainder(context, operands);
    const std::string zero = context.emit("Equal", {rest, context.number(type, 0)});
    const std::string sign = context.emit("Sign", {operands.b});
    const std::string signed_zero = context.emit("Mul", {sign, context.number(type, 0)});
    const std::string moved = context.emit("Add", {rest, operands.b});
    const std::string nonzero =
        context.emit("Where", {is_cut_up(context, rest, operands), moved, rest});
    return context.emit("Where", {zero, signed_zero, nonzero});
}

// Pow takes integers of 32 and 64 bits alone; modulo 2^64 the low bits are right for all others.
std::string power(WriteContext& context, const Operands& operands) {
    const ElementType type = operands.type;
    if (is_floating(type) || type == ElementType::i32 || type == ElementType::i64) {
        return context.emit("Pow", {operands.a, operands.b});
    }
    const std::string wide =
        context.emit("Pow", {context.cast(operands.a, type, ElementType::i64),
                             context.cast(operands.b, type, ElementType::i64)});
    return context.cast(wide, ElementType::i64, type);
}

// BitShift takes unsigned integers. What a negative number loses on the right are ones, which are
// zeros of its complement.
std::string shift(WriteContext& context, const Operands& operands, bool left) {
    const ElementType type = operands.type;
    const ElementType bits = unsigned_of(type);
    const auto shifted = [&](const std::string& value) -> std::string {
        const std::string result = context
                                       .emit("BitShift", {context.cast(value, type, bits),
                                                          context.cast(operands.b, type, bits)})
                                       .with_text("direction", left ? "LEFT" : "RIGHT");
        return context.cast(result, bits, type);
    };
    if (left || type == bits) return shifted(operands.a);
    const std::string complement =
        context.emit("BitwiseNot", {shifted(context.emit("BitwiseNot", {operands.a}))});
    return context.emit("Where",
                        {is_negative(context, operands.a, type), complement, shifted(operands.a)});
}

std::string squared_difference(WriteContext& context, const Operands& operands) {
    const std::string difference = context.emit("Sub", {operands.a, operands.b});
    return context.emit("Mul", {difference, difference});
}

}  // namespace

Names write_binary(WriteContext& context) {
    const Operands operands{context.input(0), context.input(1), context.type(0)};
    const auto plain = [&](const char* name) -> Names {
        return {context.emit(name, {operands.a, operands.b})};
    };
    switch (context.op<ops::Binary>().function()) {
        case BinaryFunction::add: return plain("Add");
        case BinaryFunction::bitwise_and: return plain("BitwiseAnd");
        case BinaryFunction::bitwise_left_shift: return {shift(context, operands, true)};
        case BinaryFunction::bitwise_or: return plain("BitwiseOr");
        case BinaryFunction::bitwise_right_shift: return {shift(context, operands, false)};
        case BinaryFunction::bitwise_xor: return plain("BitwiseXor");
        case BinaryFunction::divide: return {divide(context, operands)};
        case BinaryFunction::floor_mod: return {floor_mod(context, operands)};
        case BinaryFunction::maximum: return plain("Max");
        case BinaryFunction::minimum: return plain("Min");
        case BinaryFunction::mod: return {remainder(context, operands)};
        case BinaryFunction::multiply: return plain("Mul");
        case BinaryFunction::power: return {power(context, operands)};
        case BinaryFunction::squared_difference: return {squared_difference(context, operands)};
        case BinaryFunction::subtract: return plain("Sub");
    }
    throw UnsupportedError("ONNX has no operator for it");
}

}  // namespace rondo::onnx
