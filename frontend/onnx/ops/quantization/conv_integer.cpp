// Convolutions of 8-bit integers: ConvInteger and QLinearConv. The differences from the zero points
// are convolved as 32-bit integers: exact, and padded with zeros as the operators say.
#include "core/ops/elementwise/binary.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/quantization/converters.hpp"
#include "frontend/onnx/ops/quantization/quantization_parts.hpp"
#include "frontend/onnx/ops/window/conv.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

constexpr auto f32 = ElementType::f32;
constexpr auto i32 = ElementType::i32;

// x - zero_point in 32 bits; an empty zero point is 0. The zero points of filters are one for all
// or one for each.
Output centred(NodeContext& context, const std::string& name, const Output& x,
               const Output& zero_point) {
    expect_type(x, name, {ElementType::u8, ElementType::i8});
    const Output wide = converted(context, name + "/i32", x, i32);
    if (!zero_point) return wide;
    const QuantizedAxis filters{0, 0};
    const Output zero = along_data(context, name + "_zero_point", zero_point, x, filters);
    return context.make<ops::Binary>(name + "/centred", BinaryFunction::subtract, wide,
                                     converted(context, name + "_zero_point/i32", zero, i32));
}

// The zero point and the scale of the data are one number each.
Output one_number(const std::string& name, const Output& value) {
    if (!value) return value;
    const PartialShape& shape = value.shape();
    const bool fits =
        shape.has_rank() && (shape.rank() == 0 || (shape.rank() == 1 && shape[0].contains(1)));
    if (fits) return value;
    throw ModelError(name + " has shape " + to_string(shape) + "; expected a single element");
}

std::vector<Output> conv_integer(NodeContext& context) {
    const Output x = centred(context, "x", context.input(0),
                             one_number("x_zero_point", context.optional_input(2)));
    const Output w = centred(context, "w", context.input(1), context.optional_input(3));
    return {convolved(context, "", x, w)};
}

// round((convolution + bias) * (x_scale * w_scale / y_scale)) + y_zero_point.
std::vector<Output> qlinear_conv(NodeContext& context) {
    const Output data = context.input(0), filters = context.input(3);
    const Output x = centred(context, "x", data, one_number("x_zero_point", context.input(2)));
    const Output w = centred(context, "w", filters, context.input(5));
    Output sum = convolved(context, "product", x, w);
    const auto spread = [&](const char* role, const Output& value) {
        return along_filters(context, role, value, data, filters);
    };
    if (const Output bias = context.optional_input(8)) {
        expect_type(bias, "B", {i32});
        sum = make_sum(context, "sum", sum, spread("B", bias));
    }
    const Output y_scale = one_number("y_scale", context.input(6));
    const Output zero_point = one_number("y_zero_point", context.input(7));
    const ElementType type =
        expect_type(zero_point, "y_zero_point", {ElementType::u8, ElementType::i8});
    const Output product = context.make<ops::Binary>("scale", BinaryFunction::multiply,
                                                     one_number("x_scale", context.input(1)),
                                                     spread("w_scale", context.input(4)));
    const Output factor =
        context.make<ops::Binary>("factor", BinaryFunction::divide, product, y_scale);
    const Output scaled = context.make<ops::Binary>(
        "scaled", BinaryFunction::multiply, converted(context, "sum/f32", sum, f32), factor);
    return {rounded_to(context, scaled, zero_point, type)};
}

// keep-sorted
constexpr OpEntry kEntries[] = {
    {"", "ConvInteger", 10, conv_integer},
    {"", "QLinearConv", 10, qlinear_conv},
};

}  // namespace

std::span<const OpEntry> conv_integer_converters() { return kEntries; }

}  // namespace rondo::onnx
