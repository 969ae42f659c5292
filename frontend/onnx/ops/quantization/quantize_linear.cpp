// Converts QuantizeLinear and DynamicQuantizeLinear.
#include <algorithm>

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/quantization/dynamic_quantize_linear.hpp"
#include "core/support/narrow_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/quantization/converters.hpp"
#include "frontend/onnx/ops/quantization/quantization_parts.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

bool is_result(ElementType type) { return is_quantized(type) || is_narrow(type); }

// The type of the result: the attribute's, the zero point's, or u8.
ElementType result_type(NodeContext& context, const Output& zero_point) {
    const auto given = find_type(context, "output_dtype");
    if (zero_point && given && *given != zero_point.element_type()) {
        throw ModelError("attribute 'output_dtype' is " + std::string(to_string(*given)) +
                         ", but y_zero_point has type " +
                         std::string(to_string(zero_point.element_type())));
    }
    const ElementType type = zero_point ? NodeContext::known_type(zero_point, "y_zero_point")
                                        : given.value_or(ElementType::u8);
    if (is_result(type) && type != ElementType::f8e8m0) return type;
    throw UnsupportedError("the result has type " + std::string(to_string(type)) +
                           "; expected 8-bit or 4-bit floats, or integers of 2 to 16 bits");
}

QuantizedBounds bounds_of_narrow(ElementType type) {
    const NarrowNumbers& numbers = narrow_numbers(type);
    const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
    return {static_cast<double>(*least), static_cast<double>(*greatest)};
}

// Opset 23 names the type to divide in; before it was that of the scale. f64 holds quotients of
// integers, and f32 powers of two.
ElementType division_type(NodeContext& context, ElementType scale) {
    const auto given = find_type(context, "precision");
    if (!given && scale == ElementType::i32) return ElementType::f64;
    if (!given && is_narrow(scale)) return ElementType::f32;
    if (!given) return scale;
    if (is_floating(*given)) return *given;
    throw ModelError("attribute 'precision' is " + std::string(to_string(*given)) +
                     "; expected a floating type");
}

}  // namespace

// round(x / y_scale) + y_zero_point.
std::vector<Output> convert_quantize_linear(NodeContext& context) {
    const QuantizedAxis where = read_axis(context);
    const bool saturates = context.attributes().flag("saturate", true);
    Output zero_point = context.optional_input(2);
    const Output x =
        with_places(context, "x_places",
                    with_places(context, "x_places", context.input(0), context.input(1), where),
                    zero_point, where);
    expect_type(x, "x", {ElementType::f32, ElementType::f16, ElementType::bf16, ElementType::i32});
    const ElementType scale_type =
        expect_type(context.input(1), "y_scale",
                    {ElementType::f32, ElementType::f16, ElementType::bf16, ElementType::i32,
                     ElementType::f8e8m0});
    const ElementType precision = division_type(context, scale_type);
    const Output scale =
        along_data(context, "y_scale",
                   converted(context, "y_scale/converted", context.input(1), precision), x, where);
    const ElementType type = result_type(context, zero_point);
    Output quotient = context.make<ops::Binary>("quotient", ops::BinaryFunction::divide,
                                                converted(context, "x", x, precision), scale);
    if (!keeps_places(scale, x, where)) {
        quotient = make_in_shape_of(context, "quotient/kept", quotient, x);
    }
    if (zero_point) {
        zero_point = along_data(context, "y_zero_point",
                                widened(context, "y_zero_point/wide", zero_point), x, where);
        if (!keeps_places(zero_point, x, where)) {  // it has the shape of the scale
            zero_point = make_in_shape_of(context, "y_zero_point/exact", zero_point, scale);
        }
    }
    if (widened_type(type) == ElementType::f32) {
        const Output moved =
            zero_point ? context.make<ops::Binary>(
                             "moved", ops::BinaryFunction::add, quotient,
                             converted(context, "y_zero_point/converted", zero_point, precision))
                       : quotient;
        return {
            context.make<ops::Convert>("", moved, type, NarrowRounding{.saturates = saturates})};
    }
    if (!is_narrow(type)) return {rounded_to(context, quotient, zero_point, type)};
    const Output wide =
        rounded_to(context, quotient, zero_point, widened_type(type), bounds_of_narrow(type));
    return {context.make<ops::Convert>("narrow", wide, type)};
}

std::vector<Output> convert_dynamic_quantize_linear(NodeContext& context) {
    return outputs_of(context.make<ops::DynamicQuantizeLinear>("", context.input(0)));
}

}  // namespace rondo::onnx
