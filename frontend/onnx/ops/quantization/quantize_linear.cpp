// Converts QuantizeLinear and DynamicQuantizeLinear.
#include <algorithm>

#include "core/ops/common/extents.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/quantization/dynamic_quantize_linear.hpp"
#include "core/support/narrow_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/quantization/quantization_parts.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// The type of the result: the attribute's, the zero point's, or u8.
ElementType result_type(NodeContext& by, const Output& zero_point) {
    const auto given = find_type(by, "output_dtype");
    if (zero_point && given && *given != zero_point.element_type()) {
        throw ModelError("attribute 'output_dtype' is " + std::string(to_string(*given)) +
                         ", but y_zero_point has type " +
                         std::string(to_string(zero_point.element_type())));
    }
    const ElementType type = zero_point ? NodeContext::known_type(zero_point, "y_zero_point")
                                        : given.value_or(ElementType::u8);
    const bool is_result = is_quantized(type) || is_narrow(type);
    if (is_result && type != ElementType::f8e8m0) return type;
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
ElementType division_type(NodeContext& by, ElementType scale) {
    const auto given = find_type(by, "precision");
    if (!given && scale == ElementType::i32) return ElementType::f64;
    if (!given && is_narrow(scale)) return ElementType::f32;
    if (!given) return scale;
    if (is_floating(*given)) return *given;
    throw ModelError("attribute 'precision' is " + std::string(to_string(*given)) +
                     "; expected a floating type");
}

}  // namespace

// round(x / y_scale) + y_zero_point.
std::vector<Output> convert_quantize_linear(NodeContext& by) {
    const QuantizedAxis where = read_axis(by);
    const bool saturates = by.attribute("saturate", true);
    Output zero_point = by.optional_input(2);
    const Output x =
        with_places(by, with_places(by, by.input(0), by.input(1), where), zero_point, where);
    expect_type(x, "x", {ElementType::f32, ElementType::f16, ElementType::bf16, ElementType::i32});
    const ElementType scale_type =
        expect_type(by.input(1), "y_scale",
                    {ElementType::f32, ElementType::f16, ElementType::bf16, ElementType::i32,
                     ElementType::f8e8m0});
    const ElementType precision = division_type(by, scale_type);
    const Output scale = along_data(by, "y_scale", by.convert(by.input(1), precision), x, where);
    const ElementType type = result_type(by, zero_point);
    Output quotient = by.divide(by.convert(x, precision), scale);
    const bool has_blocks = where.block_size != 0;
    if (!has_blocks) quotient = in_shape_of(by, quotient, x, {scale});
    zero_point = along_data(by, "y_zero_point", widened(by, zero_point), x, where);
    if (zero_point && !has_blocks && !ops::never_widens(zero_point.shape(), x.shape())) {
        zero_point = in_shape_of(by, zero_point, scale);  // it has the shape of the scale
    }
    if (widened_type(type) == ElementType::f32) {
        const Output moved =
            zero_point ? by.add(quotient, by.convert(zero_point, precision)) : quotient;
        return {by.make<ops::Convert>(moved, type, NarrowRounding{.saturates = saturates})};
    }
    if (!is_narrow(type)) return {rounded_to(by, quotient, zero_point, type)};
    return {by.convert(
        rounded_to(by, quotient, zero_point, widened_type(type), bounds_of_narrow(type)), type)};
}

std::vector<Output> convert_dynamic_quantize_linear(NodeContext& by) {
    return by.make_all<ops::DynamicQuantizeLinear>(by.input(0));
}

}  // namespace rondo::onnx
