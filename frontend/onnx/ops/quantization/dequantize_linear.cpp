// Converts DequantizeLinear.
#include <cstdint>
#include <optional>

#include "core/ops/elementwise/binary.hpp"
#include "core/ops/source/constant.hpp"
#include "core/support/visit_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/quantization/converters.hpp"
#include "frontend/onnx/ops/quantization/quantization_parts.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

constexpr auto f32 = ElementType::f32;

// x with its scale and its zero point, which may be empty; both broadcast to x.
struct Quantized {
    Output x;
    Output scale;
    Output zero_point;
};

// How a parameter that broadcasts lies along constant data: element i has number
// i / inner % count.
struct Places {
    std::size_t inner = 1;
    std::size_t count = 1;
};

// Nothing where the parameter has more than one axis.
std::optional<Places> places_of(const Shape& parameter, const Shape& data) {
    Places places;
    bool is_found = false;
    std::size_t inner = 1;
    for (std::size_t i = 1; i <= parameter.size(); ++i) {
        const std::size_t extent = parameter[parameter.size() - i];
        if (extent != 1 && is_found) return std::nullopt;
        if (extent != 1) {
            places = {inner, extent};
            is_found = true;
        }
        inner *= data[data.size() - i];
    }
    return places;
}

// The difference is exact in f32 for up to 16 bits, the product rounded once.
template <typename T>
void dequantize(const Tensor& x, const Tensor& scale, const Tensor& zero_point, const Places& at,
                float* to) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t place = i / at.inner % at.count;
        const T zero = zero_point ? zero_point.data<T>()[zero_point.size() == 1 ? 0 : place] : T{0};
        const float centred = static_cast<float>(x.data<T>()[i]) - static_cast<float>(zero);
        to[i] = centred * scale.data<float>()[scale.size() == 1 ? 0 : place];
    }
}

// Weights in 8 or 16 bits, known when the model is read: as a graph they would pass the budget of
// constant folding. Nothing for others.
Tensor known_dequantized(const Quantized& from) {
    const Tensor x = known_value(from.x), scale = known_value(from.scale);
    const Tensor zero = from.zero_point ? known_value(from.zero_point) : Tensor();
    if (!x || !scale || (from.zero_point && !zero)) return {};
    if (scale.element_type() != f32 || !is_quantized(x.element_type())) return {};
    const Tensor& widest = zero && zero.size() > scale.size() ? zero : scale;
    const auto at = places_of(widest.shape(), x.shape());
    if (!at) return {};
    Tensor result(f32, x.shape());
    visit_integer(x.element_type(), [&](auto tag) {
        dequantize<tag_type<decltype(tag)>>(x, scale, zero, *at, result.data<float>());
    });
    return result;
}

// x - zero_point in f32: exact for up to 16 bits, else the exact difference rounded once.
Output centred(NodeContext& context, const Quantized& from) {
    const auto difference = [&](const Output& x, const Output& zero) {
        return context.make<ops::Binary>("centred", BinaryFunction::subtract, x, zero);
    };
    if (!from.zero_point) return converted(context, "x/f32", from.x, f32);
    if (from.x.element_type() == ElementType::i32) {
        return converted(context, "x/f32", difference(from.x, from.zero_point), f32);
    }
    return difference(converted(context, "x/f32", from.x, f32),
                      converted(context, "zero_point/f32", from.zero_point, f32));
}

void check_zero_point(const Output& zero_point, ElementType type) {
    if (!zero_point || zero_point.element_type() == ElementType::dynamic) return;
    if (zero_point.element_type() == type) return;
    throw ModelError("x_zero_point has type " + std::string(to_string(zero_point.element_type())) +
                     "; expected " + std::string(to_string(type)) + " as x has");
}

// (x - x_zero_point) * x_scale, rounded once to the scale's type, or to that of opset 23's
// attribute.
std::vector<Output> dequantize_linear(NodeContext& context) {
    const QuantizedAxis where = read_axis(context);
    Quantized from{context.input(0), context.input(1), context.optional_input(2)};
    const ElementType type = expect_type(
        from.x, "x",
        {ElementType::u8, ElementType::i8, ElementType::u16, ElementType::i16, ElementType::i32});
    const ElementType scale_type =
        expect_type(from.scale, "x_scale", {ElementType::f32, ElementType::f16, ElementType::bf16});
    check_zero_point(from.zero_point, type);
    const ElementType result = find_type(context, "output_dtype").value_or(scale_type);
    if (!is_floating(result)) {
        throw ModelError("attribute 'output_dtype' is " + std::string(to_string(result)) +
                         "; expected a floating type");
    }
    from.scale = along_data(context, "x_scale", from.scale, from.x, where);
    if (from.zero_point) {
        from.zero_point = along_data(context, "x_zero_point", from.zero_point, from.x, where);
    }
    if (result == f32) {
        if (const Tensor known = known_dequantized(from)) {
            return {context.make<ops::Constant>("", known)};
        }
    }
    const Output scale = converted(context, "x_scale/f32", from.scale, f32);
    const Output product = context.make<ops::Binary>(
        result == f32 ? "" : "product", BinaryFunction::multiply, centred(context, from), scale);
    return {converted(context, "", product, result)};
}

// keep-sorted
constexpr OpEntry kEntries[] = {
    {"", "DequantizeLinear", 10, dequantize_linear},
    {"com.microsoft", "DequantizeLinear", 1, dequantize_linear},
};

}  // namespace

std::span<const OpEntry> dequantize_linear_converters() { return kEntries; }

}  // namespace rondo::onnx
