// Convolutions of 8-bit integers: ConvInteger and QLinearConv. The differences from the zero points
// are convolved, exactly, and padded with zeros as the operators say.
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/quantization/converters.hpp"
#include "frontend/onnx/ops/quantization/quantization_parts.hpp"
#include "frontend/onnx/ops/window/window_attributes.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

using ElementType::f32;
constexpr auto f64 = ElementType::f64;
constexpr auto i32 = ElementType::i32;

// Sums of integers below this are exact in f32, in any order.
constexpr std::int64_t kExactInF32 = std::int64_t{1} << 24;
// Those below this are exact in f64, too, and don't wrap in i32.
constexpr std::int64_t kWrapsInI32 = std::int64_t{1} << 31;
constexpr std::int64_t kLargestDifference = 255;  // of two numbers of 8 bits

// A tensor and its zero point, which may be empty: 0. Filters have one for all or one for each.
struct QuantizedData {
    std::string name;
    Output values;
    Output zero_point;
};

// The largest sum that known filters, or one of so many parts of their channels, can give with any
// data; nothing for others.
std::optional<std::int64_t> largest_sum(const QuantizedData& filters, std::size_t parts = 1) {
    const Tensor values = known_value(filters.values);
    const Tensor zero = filters.zero_point ? known_value(filters.zero_point) : Tensor();
    if (!values || (filters.zero_point && !zero) || values.shape().empty()) return std::nullopt;
    if (!is_quantized(values.element_type())) return std::nullopt;
    const auto numbers = to_int64_vector(values);
    const auto zeros = zero ? to_int64_vector(zero) : std::vector<std::int64_t>{0};
    const std::size_t count = values.shape()[0];
    if (count == 0 || (zeros.size() != 1 && zeros.size() != count)) return std::nullopt;
    const std::size_t size = numbers.size() / count / parts;
    std::int64_t largest = 0;
    for (std::size_t part = 0; part < count * parts; ++part) {
        const std::int64_t zero_point = zeros[zeros.size() == 1 ? 0 : part / parts];
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < size; ++i) {
            sum += std::abs(numbers[part * size + i] - zero_point);
        }
        largest = std::max(largest, sum * kLargestDifference);
    }
    return largest;
}

// f32 or f64 where all sums are exact in it, as convolutions are much faster there; else i32.
ElementType type_for(std::optional<std::int64_t> largest) {
    if (!largest || *largest >= kWrapsInI32) return i32;
    return *largest < kExactInF32 ? f32 : f64;
}

// The type in which the bias is added to the exact sums.
ElementType type_with(const Output& bias, const QuantizedData& filters) {
    const Tensor known = known_value(bias);
    auto largest = largest_sum(filters);
    if (!known || !largest) return i32;
    std::int64_t most = 0;
    for (const std::int64_t number : to_int64_vector(known))
        most = std::max(most, std::abs(number));
    return type_for(*largest + most);
}

// x - zero_point, exact in that type.
Output centred(NodeContext& context, const QuantizedData& x, ElementType type) {
    expect_type(x.values, x.name, {ElementType::u8, ElementType::i8});
    const QuantizedAxis filters{0, 0};
    const Output values = with_places(context, x.name + "_places", x.values, x.zero_point, filters);
    const Output wide = converted(context, x.name + "/wide", values, type);
    if (!x.zero_point) return wide;
    const Output zero = along_data(context, x.name + "_zero_point", x.zero_point, values, filters);
    const Output difference =
        context.make<ops::Binary>(x.name + "/centred", BinaryFunction::subtract, wide,
                                  converted(context, x.name + "_zero_point/wide", zero, type));
    if (keeps_places(zero, values, filters)) return difference;
    return make_in_shape_of(context, x.name + "/kept", difference, values);
}

// The zero point and the scale of the data are one number each.
Output one_number(NodeContext& context, const std::string& name, const Output& value) {
    if (!value || value.shape() == PartialShape{1}) return value;
    const PartialShape& shape = value.shape();
    if (shape.has_rank() && shape.rank() == 0) return value;
    const bool fits = shape.has_rank() && shape.rank() == 1 && shape[0].contains(1);
    if (fits) return make_reshape(context, name + "/number", value, {});
    throw ModelError(name + " has shape " + to_string(shape) + "; expected a single element");
}

// How the sums are computed: in a type where they are exact, or in f32 for equal parts of the
// channels and then added in i32.
struct Plan {
    ElementType type = i32;
    std::int64_t parts = 1;

    ElementType result() const { return parts > 1 ? i32 : type; }
};

// f64 takes four times as long as f32, and parts hardly longer than the whole.
Plan plan_of(NodeContext& context, const QuantizedData& filters) {
    constexpr std::int64_t kMostParts = 16;
    const auto largest = largest_sum(filters);
    const Plan whole{type_for(largest)};
    if (whole.type != f64 || context.attributes().find_int("group").value_or(1) != 1) return whole;
    const Shape shape = known_value(filters.values).shape();
    if (shape.size() < 3) return whole;
    const auto channels = static_cast<std::int64_t>(shape[1]);
    for (auto parts = *largest / kExactInF32 + 1; parts <= kMostParts; ++parts) {
        if (channels % parts != 0) continue;
        const auto each = largest_sum(filters, static_cast<std::size_t>(parts));
        if (each && *each < kExactInF32) return {f32, parts};
    }
    return whole;
}

// The exact sums, in the plan's result type.
Output sums_of(NodeContext& context, const std::string& role, const QuantizedData& data,
               const QuantizedData& filters, const Plan& plan) {
    const Output x = centred(context, data, plan.type);
    const Output w = centred(context, filters, plan.type);
    if (plan.parts == 1) return convolved(context, role, x, w);
    const auto xs = make_split(context, "x/parts", x, 1, plan.parts);
    const auto ws = make_split(context, "w/parts", w, 1, plan.parts);
    Output sum;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const std::string name = "product_" + std::to_string(i);
        const Output part =
            converted(context, name + "/exact", convolved(context, name, xs[i], ws[i]), i32);
        const bool last = i + 1 == xs.size();
        sum = i == 0 ? part : make_sum(context, last ? role : name + "/sum", sum, part);
    }
    return sum;
}

enum class Layout { channels_first, channels_last };

// round((convolution + bias) * (x_scale * w_scale / y_scale)) + y_zero_point.
std::vector<Output> qlinear_conv(NodeContext& context, Layout layout) {
    const bool is_last = layout == Layout::channels_last;
    const Output data = context.input(0);
    const QuantizedData x{"x",
                          is_last ? with_channels_first(context, "x/channels_first", data) : data,
                          one_number(context, "x_zero_point", context.input(2))};
    const QuantizedData w{"w", context.input(3), context.input(5)};
    const Plan plan = plan_of(context, w);
    Output sum = sums_of(context, "product", x, w, plan);
    const auto spread = [&](const char* role, const Output& value) {
        return along_filters(context, role, value, x.values, w.values);
    };
    if (const Output bias = context.optional_input(8)) {
        expect_type(bias, "B", {i32});
        sum = with_channels(context, "channels", sum, {bias});
        const ElementType type = plan.parts > 1 ? i32 : type_with(bias, w);
        const Output each = make_exact_channels(context, "B/each", bias, sum, "B");
        sum = make_sum(context, "sum", converted(context, "product/exact", sum, type),
                       converted(context, "B/exact", spread("B", each), type));
    }
    const Output w_scale = context.input(4);
    sum = with_places(context, "channels", sum, w_scale, {1, 0});
    const Output y_scale = one_number(context, "y_scale", context.input(6));
    const Output zero_point = one_number(context, "y_zero_point", context.input(7));
    const ElementType type =
        expect_type(zero_point, "y_zero_point", {ElementType::u8, ElementType::i8});
    const Output product = context.make<ops::Binary>(
        "scale", BinaryFunction::multiply, one_number(context, "x_scale", context.input(1)),
        spread("w_scale", w_scale));
    const Output factor =
        context.make<ops::Binary>("factor", BinaryFunction::divide, product, y_scale);
    Output scaled = context.make<ops::Binary>("scaled", BinaryFunction::multiply,
                                              converted(context, "sum/f32", sum, f32), factor);
    if (!ops::never_widens(factor.shape(), sum.shape())) {
        scaled = make_in_shape_of(context, "scaled/kept", scaled, sum);
    }
    if (is_last) scaled = with_channels_last(context, "scaled/channels_last", scaled);
    return {rounded_to(context, scaled, zero_point, type)};
}

}  // namespace

std::vector<Output> convert_conv_integer(NodeContext& context) {
    const QuantizedData data{"x", context.input(0),
                             one_number(context, "x_zero_point", context.optional_input(2))};
    const QuantizedData filters{"w", context.input(1), context.optional_input(3)};
    const Plan plan = plan_of(context, filters);
    const std::string role = plan.result() == i32 ? "" : "product";
    return {converted(context, "", sums_of(context, role, data, filters, plan), i32)};
}

std::vector<Output> convert_qlinear_conv(NodeContext& context) {
    return qlinear_conv(context, Layout::channels_first);
}

// The data's channels may be its last axis; those of the filters never are.
std::vector<Output> convert_microsoft_qlinear_conv(NodeContext& context) {
    const bool is_last = context.attributes().flag("channels_last", false);
    return qlinear_conv(context, is_last ? Layout::channels_last : Layout::channels_first);
}

}  // namespace rondo::onnx
