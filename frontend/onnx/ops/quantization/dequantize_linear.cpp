// Converts DequantizeLinear.
#include <cstdint>
#include <optional>

#include "core/ops/product/compressed_matrix.hpp"
#include "core/support/visit_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/quantization/quantization_parts.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ElementType::f32;

// How scale and zero point lie along the values.
struct QuantizedInput : Quantized {
    QuantizedAxis where;
};

// Its parts if they are constants; nothing if one isn't.
struct KnownInput {
    Tensor x, scale, zero;
};
std::optional<KnownInput> known_parts(const QuantizedInput& from) {
    const KnownInput known{known_value(from.values), known_value(from.scale),
                           from.zero_point ? known_value(from.zero_point) : Tensor()};
    const bool holds = known.x && known.scale && (!from.zero_point || known.zero);
    return holds ? std::optional(known) : std::nullopt;
}

// Which number of a parameter belongs to which element of the data. `inner` elements of the data
// share a place on the axis.
struct Places {
    std::size_t inner = 1;
    std::size_t extent = 1;
    std::size_t block = 0;  // elements of the axis that share a number; 0: each has its own
    std::size_t blocks = 1;

    std::size_t operator()(std::size_t element) const {
        const std::size_t place = element / inner % extent;
        if (block == 0) return place;
        return (element / inner / extent * blocks + place / block) * inner + element % inner;
    }
};

// Empty if the parameter doesn't fit the data.
std::optional<Places> places_of(const Shape& parameter, const Shape& data,
                                const QuantizedAxis& where) {
    if (element_count(parameter) == 1 && where.block_size == 0) return Places{};
    const auto rank = static_cast<std::int64_t>(data.size());
    const std::int64_t at = where.axis < 0 ? where.axis + rank : where.axis;
    if (at < 0 || at >= rank) return std::nullopt;
    const auto axis = static_cast<std::size_t>(at);
    Places places;
    places.extent = data[axis];
    for (std::size_t i = axis + 1; i < data.size(); ++i) places.inner *= data[i];
    Shape expected{data[axis]};
    if (where.block_size > 0 && !parameter.empty()) {
        places.block = static_cast<std::size_t>(where.block_size);
        places.blocks = data[axis] / places.block + (data[axis] % places.block != 0);
        expected = data;
        expected[axis] = places.blocks;
    }
    return parameter == expected ? std::optional(places) : std::nullopt;
}

// The difference is exact in f32 for up to 16 bits, the product rounded once.
template <typename T>
void dequantize(const KnownInput& from, const Tensor& scale, const Places& at, float* to) {
    const Tensor& zeros = from.zero;
    for (std::size_t i = 0; i < from.x.size(); ++i) {
        const std::size_t place = at(i);
        const T zero = zeros ? zeros.data<T>()[zeros.size() == 1 ? 0 : place] : T{0};
        const float difference = static_cast<float>(from.x.data<T>()[i]) - static_cast<float>(zero);
        to[i] = difference * scale.data<float>()[scale.size() == 1 ? 0 : place];
    }
}

// Weights that are known when the model is read: as a graph they would pass the budget of constant
// folding. Nothing for others, and if the parameters don't fit.
Tensor known_dequantized(const QuantizedInput& from, ElementType type) {
    const auto known = known_parts(from);
    if (!known || type == ElementType::f64) return {};
    const auto& [x, scale, zero] = *known;
    if (zero && zero.element_type() != x.element_type()) return {};
    const bool is_float = x.element_type() == f32;
    if (!is_float && !is_quantized(x.element_type())) return {};
    const auto at =
        places_of(zero && scale.size() == 1 ? zero.shape() : scale.shape(), x.shape(), from.where);
    const auto other = zero ? places_of(zero.shape(), x.shape(), from.where) : at;
    if (!at || !other) return {};
    Tensor result(f32, x.shape());
    const Tensor scales = converted_tensor(scale, f32);
    const auto run = [&](auto tag) {
        dequantize<tag_type<decltype(tag)>>(*known, scales, *at, result.data<float>());
    };
    is_float ? run(TypeTag<float>()) : visit_integer(x.element_type(), run);
    return converted_tensor(result, type);
}

// How a matrix lies in memory that stays compressed: see passes::keep_compressed_weights(). It is
// then read as a graph. Blocks, each with a scale, and what they share have axes of their own.
struct CompressedShapes {
    Shape integers;
    Shape scales;
};
std::optional<CompressedShapes> compressed_shapes(const NodeContext& by, const QuantizedInput& from,
                                                  ElementType type) {
    const auto known = known_parts(from);
    const std::int64_t at = from.where.axis < 0 ? from.where.axis + 2 : from.where.axis;
    if (!known || known->x.shape().size() != 2 || size_of(known->x.element_type()) != 1 ||
        type != f32 || (at != 0 && at != 1 && known->scale.size() != 1)) {
        return {};
    }
    CompressedShapes shapes{known->x.shape(), Shape{1, 1}};
    const std::size_t axis = at == 0 ? 0 : 1,
                      block = static_cast<std::size_t>(from.where.block_size);
    if (block > 0) {
        const Tensor& zero = known->zero;
        Shape whole = shapes.integers;
        whole[axis] /= block;
        const bool fits = shapes.integers[axis] % block == 0 && known->scale.shape() == whole &&
                          (!zero || zero.shape() == whole);
        if (!fits || (at != 0 && at != 1)) return {};
        const auto place = static_cast<std::ptrdiff_t>(axis);
        shapes.integers[axis] = block;
        shapes.integers.insert(shapes.integers.begin() + place, whole[axis]);
        whole.insert(whole.begin() + place + 1, 1);
        shapes.scales = whole;
    } else {
        shapes.scales[axis] = known->scale.size();
    }
    const auto transposed = by.transposed_right_side(0);
    const bool stays = transposed && ops::stays_compressed(shapes.integers, shapes.scales,
                                                           known->x.shape(), *transposed);
    return stays ? std::optional(shapes) : std::nullopt;
}

Output compressed_blocks(NodeContext& by, const QuantizedInput& from,
                         const CompressedShapes& shapes) {
    const auto [x, scale, zero] = *known_parts(from);
    const Output blocks = dequantized_constant(
        by, x.contiguous().reshaped(shapes.integers), scale.contiguous().reshaped(shapes.scales),
        zero ? zero.contiguous().reshaped(shapes.scales) : zero);
    return by.reshape(blocks, Ints(x.shape().begin(), x.shape().end()));
}

void check_zero_point(const Output& zero_point, ElementType type) {
    if (!zero_point || zero_point.element_type() == type) return;
    if (zero_point.element_type() == ElementType::dynamic || type == ElementType::dynamic) return;
    throw ModelError("x_zero_point has type " + std::string(to_string(zero_point.element_type())) +
                     "; expected " + std::string(to_string(type)) + " as x has");
}

}  // namespace

// (x - x_zero_point) * x_scale, rounded once to the scale's type, or to that of opset 23's
// attribute.
std::vector<Output> convert_dequantize_linear(NodeContext& by) {
    const Output x = by.input(0), zero = by.optional_input(2);
    check_zero_point(zero, x.element_type());
    QuantizedInput from{{"x", widened(by, x), by.input(1), widened(by, zero)}, read_axis(by)};
    const QuantizedAxis& where = from.where;
    if (!is_narrow(x.element_type())) {
        expect_type(x, "x",
                    {ElementType::u8, ElementType::i8, ElementType::u16, ElementType::i16,
                     ElementType::i32});
    }
    const ElementType scale_type =
        expect_type(from.scale, "x_scale",
                    {ElementType::f32, ElementType::f16, ElementType::bf16, ElementType::f8e8m0});
    const ElementType result = find_type(by, "output_dtype").value_or(scale_type);
    if (!is_floating(result)) {
        throw ModelError("the result has type " + std::string(to_string(result)) +
                         "; expected a floating type, as attribute 'output_dtype' names");
    }
    const auto compressed = compressed_shapes(by, from, result);
    if (compressed && where.block_size > 0) return {compressed_blocks(by, from, *compressed)};
    const Tensor known = compressed ? Tensor() : known_dequantized(from, result);
    if (known) return {by.constant(known)};
    Output& values = from.values;
    values = with_places(by, with_places(by, values, from.scale, where), from.zero_point, where);
    const Output scale = along_data(by, "x_scale", by.convert(from.scale, f32), values, where);
    from.zero_point = along_data(by, "x_zero_point", from.zero_point, values, where);
    // Exact for up to 16 bits, else the exact difference rounded once.
    const bool is_exact = values.element_type() != ElementType::i32;
    const Output difference = by.convert(centred(by, from, is_exact ? f32 : ElementType::i32), f32);
    const Output y = by.convert(by.multiply(difference, scale), result);
    if (where.block_size != 0) return {y};
    return {in_shape_of(by, y, values, {scale, from.zero_point})};
}

}  // namespace rondo::onnx
