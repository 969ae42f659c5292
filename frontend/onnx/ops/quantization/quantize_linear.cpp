// Converts QuantizeLinear and DynamicQuantizeLinear.
#include "core/ops/elementwise/binary.hpp"
#include "core/ops/quantization/dynamic_quantize_linear.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/quantization/converters.hpp"
#include "frontend/onnx/ops/quantization/quantization_parts.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// The type of the result: the attribute's, the zero point's, or u8.
ElementType output_type(NodeContext& context, const Output& zero_point) {
    const auto given = find_type(context, "output_dtype");
    if (!zero_point) return given.value_or(ElementType::u8);
    const ElementType type =
        expect_type(zero_point, "y_zero_point",
                    {ElementType::u8, ElementType::i8, ElementType::u16, ElementType::i16});
    if (!given || *given == type) return type;
    throw ModelError("attribute 'output_dtype' is " + std::string(to_string(*given)) +
                     ", but y_zero_point has type " + std::string(to_string(type)));
}

// Opset 23 names the type to divide in; before it was that of the scale, or f32 for integers.
ElementType division_type(NodeContext& context, const Output& scale) {
    const auto given = find_type(context, "precision");
    if (!given) return scale.element_type();
    if (is_floating(*given)) return *given;
    throw ModelError("attribute 'precision' is " + std::string(to_string(*given)) +
                     "; expected a floating type");
}

// round(x / y_scale) + y_zero_point.
std::vector<Output> quantize_linear(NodeContext& context) {
    const QuantizedAxis where = read_axis(context);
    context.attributes().flag("saturate", true);  // of 8-bit floats, which aren't read
    const Output x = context.input(0);
    expect_type(x, "x", {ElementType::f32, ElementType::f16, ElementType::bf16, ElementType::i32});
    const Output scale = along_data(context, "y_scale", context.input(1), x, where);
    expect_type(scale, "y_scale", {ElementType::f32, ElementType::f16, ElementType::bf16});
    Output zero_point = context.optional_input(2);
    const ElementType type = output_type(context, zero_point);
    if (!is_quantized(type)) {
        throw UnsupportedError("the result has type " + std::string(to_string(type)) +
                               "; expected u8, i8, u16 or i16");
    }
    if (zero_point) zero_point = along_data(context, "y_zero_point", zero_point, x, where);
    const ElementType precision = division_type(context, scale);
    const Output quotient = context.make<ops::Binary>(
        "quotient", ops::BinaryFunction::divide, converted(context, "x", x, precision),
        converted(context, "y_scale/converted", scale, precision));
    return {rounded_to(context, quotient, zero_point, type)};
}

std::vector<Output> dynamic_quantize_linear(NodeContext& context) {
    return outputs_of(context.make<ops::DynamicQuantizeLinear>("", context.input(0)));
}

// keep-sorted
constexpr OpEntry kEntries[] = {
    {"", "DynamicQuantizeLinear", 11, dynamic_quantize_linear},
    {"", "QuantizeLinear", 10, quantize_linear},
    {"com.microsoft", "QuantizeLinear", 1, quantize_linear},
};

}  // namespace

std::span<const OpEntry> quantize_linear_converters() { return kEntries; }

}  // namespace rondo::onnx
