// Convolutions of 8-bit integers: ConvInteger and QLinearConv. The differences from the zero points
// are convolved, exactly, and padded with zeros as the operators say.
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "core/graph/infer_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/quantization/quantization_parts.hpp"
#include "frontend/onnx/ops/window/window_attributes.hpp"

namespace rondo::onnx {
namespace {

using ElementType::f32;
using ElementType::f64;
constexpr auto i32 = ElementType::i32;

// Sums of integers below this are exact in f32, in any order.
constexpr std::int64_t kExactInF32 = std::int64_t{1} << 24;
// Those below this are exact in f64, too, and don't wrap in i32.
constexpr std::int64_t kWrapsInI32 = std::int64_t{1} << 31;
constexpr std::int64_t kLargestDifference = 255;  // of two numbers of 8 bits

// The largest sum that known filters, with one zero point or one each, or one of so many parts of
// their channels, can give with any data; nothing for others.
std::optional<std::int64_t> largest_sum(const Quantized& filters, std::size_t parts = 1) {
    const Tensor values = known_value(filters.values);
    const Tensor zero = filters.zero_point ? known_value(filters.zero_point) : Tensor();
    if (!values || (filters.zero_point && !zero) || values.shape().empty()) return std::nullopt;
    if (!is_quantized(values.element_type())) return std::nullopt;
    const auto numbers = to_int64_vector(values);
    const auto zeros = zero ? to_int64_vector(zero) : Ints{0};
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

// f32 or f64 if all sums are exact in it, as convolutions are much faster there; else i32.
ElementType type_for(std::optional<std::int64_t> largest) {
    if (!largest || *largest >= kWrapsInI32) return i32;
    return *largest < kExactInF32 ? f32 : f64;
}

// The type in which the bias is added to the exact sums.
ElementType type_with(const Output& bias, const Quantized& filters) {
    const Tensor known = known_value(bias);
    const auto largest = largest_sum(filters);
    if (!known || !largest) return i32;
    std::int64_t most = 0;
    for (const std::int64_t number : to_int64_vector(known))
        most = std::max(most, std::abs(number));
    return type_for(*largest + most);
}

// x - zero_point, exact in that type.
Output differences(NodeContext& by, const Quantized& x, ElementType type) {
    expect_byte(x.values, x.name);
    const QuantizedAxis filters{0, 0};
    const Output values = with_places(by, x.values, x.zero_point, filters);
    const Output zero = along_data(by, x.name + "_zero_point", x.zero_point, values, filters);
    return in_shape_of(by, centred(by, {x.name, values, {}, zero}, type), values, {zero});
}

// How the sums are computed: in a type where they are exact, or in f32 for equal parts of the
// channels and then added in i32.
struct Plan {
    ElementType type = i32;
    std::int64_t parts = 1;
};

// f64 takes four times as long as f32, and parts hardly longer than the whole.
Plan plan_of(NodeContext& by, const Quantized& filters) {
    constexpr std::int64_t kMostParts = 16;
    const auto largest = largest_sum(filters);
    const Plan whole{type_for(largest)};
    if (whole.type != f64 || by.attribute("group", 1) != 1) return whole;
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

// The exact sums: in i32 if there are parts, else in the plan's type.
Output sums_of(NodeContext& by, const Quantized& data, const Quantized& filters, const Plan& plan) {
    const Output x = differences(by, data, plan.type);
    const Output w = differences(by, filters, plan.type);
    if (plan.parts == 1) return convolved(by, x, w);
    const auto xs = by.split(x, 1, plan.parts), ws = by.split(w, 1, plan.parts);
    Output sum;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const Output part = by.convert(convolved(by, xs[i], ws[i]), i32);
        sum = sum ? by.add(sum, part) : part;
    }
    return sum;
}

}  // namespace

std::vector<Output> convert_conv_integer(NodeContext& by) {
    const Quantized data{
        "x", by.input(0), {}, one_number(by, "x_zero_point", by.optional_input(2))};
    const Quantized filters{"w", by.input(1), {}, by.optional_input(3)};
    return {by.convert(sums_of(by, data, filters, plan_of(by, filters)), i32)};
}

// round((convolution + bias) * (x_scale * w_scale / y_scale)) + y_zero_point. In com.microsoft's
// form the data's channels may be its last axis; those of the filters never are.
std::vector<Output> convert_qlinear_conv(NodeContext& by, bool is_microsoft) {
    const bool is_last = is_microsoft && by.attribute("channels_last", false);
    const Output data = by.input(0);
    const Quantized x{"x",
                      is_last ? with_channels_first(by, data) : data,
                      {},
                      one_number(by, "x_zero_point", by.input(2))};
    const Quantized w{"w", by.input(3), {}, by.input(5)};
    const Plan plan = plan_of(by, w);
    Output sum = sums_of(by, x, w, plan);
    const auto spread = [&](const Output& value) {
        return along_filters(by, value, x.values, w.values);
    };
    if (const Output bias = by.optional_input(8)) {
        expect_type(bias, "B", {i32});
        sum = with_channels(by, sum, {bias});
        const ElementType type = plan.parts > 1 ? i32 : type_with(bias, w);
        sum = by.add(by.convert(sum, type),
                     by.convert(spread(exact_channels(by, bias, sum, "B")), type));
    }
    const Output w_scale = by.input(4);
    sum = with_places(by, sum, w_scale, {1, 0});
    const Output y_scale = one_number(by, "y_scale", by.input(6));
    const Output zero_point = one_number(by, "y_zero_point", by.input(7));
    const ElementType type = expect_byte(zero_point, "y_zero_point");
    const Output product = by.multiply(one_number(by, "x_scale", by.input(1)), spread(w_scale));
    const Output factor = by.divide(product, y_scale);
    const Output scaled = in_shape_of(by, by.multiply(by.convert(sum, f32), factor), sum, {factor});
    return {rounded_to(by, is_last ? with_channels_last(by, scaled) : scaled, zero_point, type)};
}

}  // namespace rondo::onnx
