// Functions of one tensor: a row an op, with what integers need; Convert as Cast.
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/support/tables.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/elementwise/writers.hpp"

namespace rondo::onnx {
namespace {

using ops::UnaryFunction;

struct Row {
    UnaryFunction function;
    const char* name;
};

constexpr Row kRows[] = {
    {UnaryFunction::abs, "Abs"},           {UnaryFunction::acos, "Acos"},
    {UnaryFunction::acosh, "Acosh"},       {UnaryFunction::asin, "Asin"},
    {UnaryFunction::asinh, "Asinh"},       {UnaryFunction::atan, "Atan"},
    {UnaryFunction::atanh, "Atanh"},       {UnaryFunction::bitwise_not, "BitwiseNot"},
    {UnaryFunction::ceiling, "Ceil"},      {UnaryFunction::cos, "Cos"},
    {UnaryFunction::cosh, "Cosh"},         {UnaryFunction::erf, "Erf"},
    {UnaryFunction::exp, "Exp"},           {UnaryFunction::floor, "Floor"},
    {UnaryFunction::hsigmoid, ""},  // composed
    {UnaryFunction::hswish, "HardSwish"},  {UnaryFunction::log, "Log"},
    {UnaryFunction::logical_not, "Not"},   {UnaryFunction::mish, "Mish"},
    {UnaryFunction::negative, "Neg"},      {UnaryFunction::relu, "Relu"},
    {UnaryFunction::round, "Round"},       {UnaryFunction::sigmoid, "Sigmoid"},
    {UnaryFunction::sign, "Sign"},         {UnaryFunction::sin, "Sin"},
    {UnaryFunction::sinh, "Sinh"},         {UnaryFunction::softplus, "Softplus"},
    {UnaryFunction::softsign, "Softsign"}, {UnaryFunction::sqrt, "Sqrt"},
    {UnaryFunction::tan, "Tan"},           {UnaryFunction::tanh, "Tanh"},
};
static_assert(ops::in_order_of_functions(kRows));

bool is_unsigned(ElementType type) {
    return type == ElementType::u8 || type == ElementType::u16 || type == ElementType::u32 ||
           type == ElementType::u64;
}

// Whether the function keeps every element of the type, so that ONNX's operator doesn't take it.
bool keeps_elements(UnaryFunction function, ElementType type) {
    switch (function) {
        case UnaryFunction::ceiling:
        case UnaryFunction::floor:
        case UnaryFunction::round: return is_integral(type);
        case UnaryFunction::relu: return is_unsigned(type);
        default: return false;
    }
}

// min(max(x + 3, 0), 6) / 6: HardSigmoid multiplies by a rounded 1/6 instead.
std::string hsigmoid(WriteContext& context) {
    const ElementType type = context.type(0);
    const std::string moved = context.emit("Add", {context.input(0), context.number(type, 3)});
    const std::string held =
        context.emit("Clip", {moved, context.number(type, 0), context.number(type, 6)});
    return context.emit("Div", {held, context.number(type, 6)});
}

}  // namespace

Names write_unary(WriteContext& context) {
    const UnaryFunction function = context.op<ops::Unary>().function();
    const ElementType type = context.type(0);
    if (function == UnaryFunction::hsigmoid) return {hsigmoid(context)};
    if (keeps_elements(function, type)) return {context.emit("Identity", {context.input(0)})};
    if (function == UnaryFunction::negative && is_unsigned(type)) {
        return {context.emit("Sub", {context.number(type, 0), context.input(0)})};
    }
    return {context.emit(kRows[static_cast<std::size_t>(function)].name, {context.input(0)})};
}

namespace {

bool is_float8(ElementType type) {
    return type == ElementType::f8e4m3 || type == ElementType::f8e5m2 ||
           type == ElementType::f8e4m3fnuz || type == ElementType::f8e5m2fnuz;
}

}  // namespace

Names write_convert(WriteContext& context) {
    using Scale = NarrowRounding::Scale;
    const auto& op = context.op<ops::Convert>();
    const ElementType type = op.destination_type();
    const NarrowRounding rounding = op.rounding();
    context.draft().file().use_type(type);
    NewNode cast = context.emit("Cast", {context.input(0)});
    cast.with_int("to", onnx_from_element_type(type));
    if (is_float8(type) && !rounding.saturates) cast.with_int("saturate", 0);
    if (type == ElementType::f8e8m0) {
        if (!rounding.saturates) cast.with_int("saturate", 0);
        if (rounding.scale != Scale::up) {
            cast.with_text("round_mode", rounding.scale == Scale::down ? "down" : "nearest");
        }
    }
    return {cast};
}

}  // namespace rondo::onnx
