// Converts DequantizeLinear.
#include <cstdint>
#include <optional>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/constant.hpp"
#include "core/support/limits.hpp"
#include "core/support/visit_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/composer.hpp"
#include "frontend/onnx/ops/quantization/converters.hpp"
#include "frontend/onnx/ops/quantization/quantization_parts.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

using ElementType::f32;

// x with its scale and its zero point, which may be empty, and how these lie along it.
struct QuantizedInput {
    Output x;
    Output scale;
    Output zero_point;
    QuantizedAxis where;
};

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

// Nothing where the parameter doesn't fit the data.
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
void dequantize(const Tensor& x, const Tensor& scale, const Tensor& zero_point, const Places& at,
                float* to) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t place = at(i);
        const T zero = zero_point ? zero_point.data<T>()[zero_point.size() == 1 ? 0 : place] : T{0};
        const float centred = static_cast<float>(x.data<T>()[i]) - static_cast<float>(zero);
        to[i] = centred * scale.data<float>()[scale.size() == 1 ? 0 : place];
    }
}

template <typename From, typename To>
Tensor cast(const Tensor& from) {
    Tensor result(element_type_of<To>(), from.shape());
    for (std::size_t i = 0; i < from.size(); ++i) {
        result.data<To>()[i] = static_cast<To>(static_cast<float>(from.data<From>()[i]));
    }
    return result;
}

Tensor as_f32(const Tensor& tensor) {
    if (tensor.element_type() == ElementType::f16) return cast<float16, float>(tensor);
    if (tensor.element_type() == ElementType::bf16) return cast<bfloat16, float>(tensor);
    return is_narrow(tensor.element_type()) ? widened(tensor, f32) : tensor;
}

Tensor rounded(const Tensor& tensor, ElementType type) {
    if (type == ElementType::f16) return cast<float, float16>(tensor);
    if (type == ElementType::bf16) return cast<float, bfloat16>(tensor);
    return tensor;
}

// Weights that are known when the model is read: as a graph they would pass the budget of constant
// folding. Nothing for others, and where the parameters don't fit.
Tensor known_dequantized(const QuantizedInput& from, ElementType type) {
    const Tensor x = known_value(from.x), scale = known_value(from.scale);
    const Tensor zero = from.zero_point ? known_value(from.zero_point) : Tensor();
    if (!x || !scale || (from.zero_point && !zero) || type == ElementType::f64) return {};
    if (zero && zero.element_type() != x.element_type()) return {};
    const bool is_float = x.element_type() == f32;
    if (!is_float && !is_quantized(x.element_type())) return {};
    const bool one_scale = scale.size() == 1;
    const auto at =
        places_of(zero && one_scale ? zero.shape() : scale.shape(), x.shape(), from.where);
    const auto other = zero ? places_of(zero.shape(), x.shape(), from.where) : at;
    if (!at || !other) return {};
    Tensor result(f32, x.shape());
    const auto run = [&](auto tag) {
        dequantize<tag_type<decltype(tag)>>(x, as_f32(scale), zero, *at, result.data<float>());
    };
    is_float ? run(TypeTag<float>()) : visit_integer(x.element_type(), run);
    return rounded(result, type);
}

// Whether it is a matrix that stays compressed: see passes::keep_compressed_weights(). It is then
// read as a graph.
bool stays_compressed(const NodeContext& context, const QuantizedInput& from, ElementType type) {
    const Tensor x = known_value(from.x), scale = known_value(from.scale);
    if (!x || !scale || x.shape().size() != 2 || size_of(x.element_type()) != 1 || type != f32 ||
        x.size() * sizeof(float) < kWorthKeepingCompressed) {
        return false;
    }
    const auto transposed = context.transposed_right_side(0);
    if (!transposed) return false;
    const bool along_rows = from.where.axis == 0 || from.where.axis == -2;
    const bool is_axis = along_rows || from.where.axis == 1 || from.where.axis == -1;
    if (from.where.block_size > 0) return is_axis && along_rows != *transposed;
    return scale.size() == 1 || (is_axis && along_rows == *transposed);
}

// The same of blocks of a matrix, each with a scale and a zero point, where whole blocks fill it:
// blocks and what they share have axes of their own.
Output compressed_blocks(NodeContext& context, const QuantizedInput& from) {
    const Tensor x = known_value(from.x), scale = known_value(from.scale);
    const Tensor zero = from.zero_point ? known_value(from.zero_point) : Tensor();
    const auto block = static_cast<std::size_t>(from.where.block_size);
    const std::size_t axis = from.where.axis == 0 || from.where.axis == -2 ? 0 : 1;
    if (x.shape()[axis] % block != 0 || (from.zero_point && !zero)) return {};
    Shape whole = x.shape(), blocks = x.shape();
    whole[axis] /= block;
    if (scale.shape() != whole || (zero && zero.shape() != whole)) return {};
    const auto at = static_cast<std::ptrdiff_t>(axis);
    blocks[axis] = block;
    blocks.insert(blocks.begin() + at, whole[axis]);
    whole.insert(whole.begin() + at + 1, 1);
    Composer by(context);
    return by.result(by.reshape(
        dequantized_constant(by, x.contiguous().reshaped(blocks),
                             scale.contiguous().reshaped(whole),
                             zero ? zero.contiguous().reshaped(whole) : zero),
        {static_cast<std::int64_t>(x.shape()[0]), static_cast<std::int64_t>(x.shape()[1])}));
}

// x - zero_point in f32: exact for up to 16 bits, else the exact difference rounded once.
Output centred(NodeContext& context, const QuantizedInput& from) {
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
    if (!zero_point || zero_point.element_type() == type) return;
    if (zero_point.element_type() == ElementType::dynamic || type == ElementType::dynamic) return;
    throw ModelError("x_zero_point has type " + std::string(to_string(zero_point.element_type())) +
                     "; expected " + std::string(to_string(type)) + " as x has");
}

}  // namespace

// (x - x_zero_point) * x_scale, rounded once to the scale's type, or to that of opset 23's
// attribute.
std::vector<Output> convert_dequantize_linear(NodeContext& context) {
    const Output x = context.input(0), zero = context.optional_input(2);
    check_zero_point(zero, x.element_type());
    QuantizedInput from{widened(context, "x/wide", x), context.input(1),
                        widened(context, "x_zero_point/wide", zero), read_axis(context)};
    const QuantizedAxis& where = from.where;
    if (!is_narrow(x.element_type())) {
        expect_type(x, "x",
                    {ElementType::u8, ElementType::i8, ElementType::u16, ElementType::i16,
                     ElementType::i32});
    }
    const ElementType scale_type =
        expect_type(from.scale, "x_scale",
                    {ElementType::f32, ElementType::f16, ElementType::bf16, ElementType::f8e8m0});
    const ElementType result = find_type(context, "output_dtype").value_or(scale_type);
    if (!is_floating(result)) {
        throw ModelError("the result has type " + std::string(to_string(result)) +
                         "; expected a floating type, as attribute 'output_dtype' names");
    }
    const bool stays = stays_compressed(context, from, result);
    if (stays && where.block_size > 0) {
        if (const Output blocks = compressed_blocks(context, from)) return {blocks};
    }
    if (!stays || where.block_size > 0) {
        if (const Tensor known = known_dequantized(from, result)) {
            return {context.make<ops::Constant>("", known)};
        }
    }
    from.x = with_places(context, "x_places", from.x, from.scale, where);
    from.x = with_places(context, "x_places", from.x, from.zero_point, where);
    from.scale = along_data(context, "x_scale", converted(context, "x_scale/f32", from.scale, f32),
                            from.x, where);
    if (from.zero_point) {
        from.zero_point = along_data(context, "x_zero_point", from.zero_point, from.x, where);
    }
    const bool fits =
        keeps_places(from.scale, from.x, where) && keeps_places(from.zero_point, from.x, where);
    const Output product =
        context.make<ops::Binary>(fits && result == f32 ? "" : "product", BinaryFunction::multiply,
                                  centred(context, from), from.scale);
    const Output y = converted(context, fits ? "" : "rounded", product, result);
    return {fits ? y : make_in_shape_of(context, "", y, from.x)};
}

}  // namespace rondo::onnx
