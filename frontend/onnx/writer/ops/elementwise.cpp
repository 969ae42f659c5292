// Elementwise ops: one operator, or a composition if ONNX rounds, wraps or takes types
// otherwise.
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/writer/ops/op_list.hpp"

namespace rondo::onnx {
namespace {

using ops::UnaryFunction;

ElementType unsigned_of(ElementType type) {
    switch (type) {
        case ElementType::i8: return ElementType::u8;
        case ElementType::i16: return ElementType::u16;
        case ElementType::i32: return ElementType::u32;
        case ElementType::i64: return ElementType::u64;
        default: return type;
    }
}

bool is_unsigned(ElementType type) { return is_integral(type) && unsigned_of(type) == type; }

// min(max(x + 3, 0), 6) / 6: HardSigmoid multiplies by a rounded 1/6 instead.
std::string hsigmoid(WriteContext& context) {
    const ElementType type = context.type(0);
    const std::string moved = context.emit("Add", {context.input(0), context.number(type, 3)});
    const std::string held =
        context.emit("Clip", {moved, context.number(type, 0), context.number(type, 6)});
    return context.emit("Div", {held, context.number(type, 6)});
}

using ops::BinaryFunction;

std::string is_negative(WriteContext& context, const std::string& value) {
    return context.emit("Less", {value, context.number(context.type(0), 0)});
}

std::string is_zero(WriteContext& context, const std::string& value) {
    return context.emit("Equal", {value, context.number(context.type(0), 0)});
}

// The remainder that has the dividend's sign.
std::string remainder(WriteContext& context) {
    return context.emit("Mod", context.inputs()).with("fmod", true);
}

// Whether the remainder isn't 0 and has another sign than the divisor: rounding down then gives
// one less than rounding towards zero.
std::string is_cut_up(WriteContext& context, const std::string& rest) {
    const std::string differ =
        context.emit("Xor", {is_negative(context, rest), is_negative(context, context.input(1))});
    const std::string zero = is_zero(context, rest);
    return context.emit("And", {differ, context.emit("Not", {zero})});
}

// Div of integers rounds towards zero in ONNX.
std::string divide(WriteContext& context) {
    const ElementType type = context.type(0);
    const std::string quotient = context.emit("Div", context.inputs());
    if (unsigned_of(type) == type || !context.op<ops::Binary>().python_division()) return quotient;
    const std::string cut = is_cut_up(context, remainder(context));
    return context.emit("Sub", {quotient, context.cast(cut, ElementType::boolean, type)});
}

// Mod takes the divisor's sign of integers alone. A remainder of 0 has the sign, too.
std::string floor_mod(WriteContext& context) {
    if (!is_floating(context.type(0))) return context.emit("Mod", context.inputs());
    const std::string rest = remainder(context);
    const std::string zero = is_zero(context, rest);
    const std::string sign = context.emit("Sign", {context.input(1)});
    const std::string signed_zero = context.emit("Mul", {sign, context.number(context.type(0), 0)});
    const std::string moved = context.emit("Add", {rest, context.input(1)});
    const std::string nonzero = context.emit("Where", {is_cut_up(context, rest), moved, rest});
    return context.emit("Where", {zero, signed_zero, nonzero});
}

// Pow takes integers of 32 and 64 bits alone; modulo 2^64 the low bits are right for all others.
std::string power(WriteContext& context) {
    const ElementType type = context.type(0);
    const bool is_taken = is_floating(type) || type == ElementType::i32;
    const ElementType wide = is_taken ? type : ElementType::i64;
    const auto widened = [&](std::size_t i) { return context.cast(context.input(i), type, wide); };
    return context.cast(context.emit("Pow", {widened(0), widened(1)}), wide, type);
}

// BitShift takes unsigned integers. What a negative number loses on the right are ones, which are
// zeros of its complement.
std::string shift(WriteContext& context, bool left) {
    const ElementType type = context.type(0);
    const ElementType bits = unsigned_of(type);
    const std::string a = context.input(0);
    const auto shifted = [&](const std::string& value) {
        const Names operands{context.cast(value, type, bits),
                             context.cast(context.input(1), type, bits)};
        const NewNode result =
            context.emit("BitShift", operands).with("direction", left ? "LEFT" : "RIGHT");
        return context.cast(result, bits, type);
    };
    if (left || type == bits) return shifted(a);
    const std::string complement =
        context.emit("BitwiseNot", {shifted(context.emit("BitwiseNot", {a}))});
    return context.emit("Where", {is_negative(context, a), complement, shifted(a)});
}

std::string squared_difference(WriteContext& context) {
    const std::string difference = context.emit("Sub", context.inputs());
    return context.emit("Mul", {difference, difference});
}

}  // namespace

// ONNX's operator doesn't take the integers that its function keeps.
Names write_unary(WriteContext& context) {
    const ElementType type = context.type(0);
    const auto kept = [&](bool keeps) {
        return keeps ? context.emit("Identity", {context.input(0)}) : context.emit_same();
    };
    switch (context.op<ops::Unary>().function()) {
        case UnaryFunction::ceiling:
        case UnaryFunction::floor:
        case UnaryFunction::round: return kept(is_integral(type));
        case UnaryFunction::hsigmoid: return {hsigmoid(context)};
        case UnaryFunction::negative:
            if (!is_unsigned(type)) return context.emit_same();
            return context.emit("Sub", {context.number(type, 0), context.input(0)});
        case UnaryFunction::relu: return kept(is_unsigned(type));
        default: return context.emit_same();
    }
}

Names write_binary(WriteContext& context) {
    switch (context.op<ops::Binary>().function()) {
        case BinaryFunction::bitwise_left_shift: return {shift(context, true)};
        case BinaryFunction::bitwise_right_shift: return {shift(context, false)};
        case BinaryFunction::divide: return {divide(context)};
        case BinaryFunction::floor_mod: return {floor_mod(context)};
        case BinaryFunction::mod: return {remainder(context)};
        case BinaryFunction::power: return {power(context)};
        case BinaryFunction::squared_difference: return {squared_difference(context)};
        default: return context.emit_same();
    }
}

// ONNX orders numbers alone.
Names write_compare(WriteContext& context) {
    const ops::CompareFunction function = context.op<ops::Compare>().function();
    if (function == ops::CompareFunction::equal) return context.emit_same();
    if (function == ops::CompareFunction::not_equal) {
        return context.emit("Not", {context.emit("Equal", context.inputs())});
    }
    const bool flags = context.type(0) == ElementType::boolean;
    const ElementType type = flags ? ElementType::u8 : context.type(0);
    return context.emit(context.name(), {context.input_as(0, type), context.input_as(1, type)});
}

// onnxruntime has no Where of booleans.
Names write_select(WriteContext& context) {
    if (context.type(1) != ElementType::boolean) return context.emit("Where", context.inputs());
    const std::string chosen = context.emit("And", {context.input(0), context.input(1)});
    const std::string opposite = context.emit("Not", {context.input(0)});
    const std::string other = context.emit("And", {opposite, context.input(2)});
    return context.emit("Or", {chosen, other});
}

Names write_convert(WriteContext& context) {
    using Scale = NarrowRounding::Scale;
    const auto& op = context.op<ops::Convert>();
    const ElementType type = op.destination_type();
    const NarrowRounding rounding = op.rounding();
    context.draft().file().use_type(type);
    NewNode cast = context.emit("Cast", {context.input(0)});
    cast.with("to", onnx_from_element_type(type));
    const bool is_8_bits = to_string(type).starts_with("f8");
    if (is_8_bits && !rounding.saturates) cast.with("saturate", false);
    if (type == ElementType::f8e8m0 && rounding.scale != Scale::up) {
        cast.with("round_mode", rounding.scale == Scale::down ? "down" : "nearest");
    }
    return cast;
}

}  // namespace rondo::onnx
