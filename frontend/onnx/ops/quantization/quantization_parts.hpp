// What the converters of quantized operators have in common: scales, zero points, rounding.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

/// A tensor of integers and what they mean: (values - zero_point) * scale. Parts that aren't
/// given are empty.
struct Quantized {
    std::string name;
    Output values;
    Output scale = {};
    Output zero_point = {};
};

/// Throws UnsupportedError unless the type, which must be known, is one of these; `what` names the
/// tensor.
ElementType expect_type(const Output& value, const std::string& what,
                        std::initializer_list<ElementType> types);
ElementType expect_byte(const Output& value, const std::string& what);

/// True for the integers of 8 and 16 bits.
bool is_quantized(ElementType type);

/// The type that an attribute names by ONNX's number; empty if it is absent or 0.
std::optional<ElementType> find_type(NodeContext& by, const std::string& attribute);

/// The same numbers in another type, as Convert has them.
Tensor converted_tensor(const Tensor& tensor, ElementType type);
/// i8, u8 or f32, which has every number of a narrow type; other types are their own.
ElementType widened_type(ElementType type);
/// The value in that type; a constant is widened while the model is read. May be empty.
Output widened(NodeContext& by, const Output& value);

/// The operator's attributes on how parameters lie along the data.
struct QuantizedAxis {
    std::int64_t axis = 1;
    std::int64_t block_size = 0;
};

/// Reads `axis` and `block_size`. Throws ModelError for a negative size.
QuantizedAxis read_axis(NodeContext& by);

/// The data, known to have as many places on the axis as a parameter, which may be empty.
Output with_places(NodeContext& by, const Output& data, const Output& parameter,
                   const QuantizedAxis& where);
/// A scale or a zero point in a shape that broadcasts to that of `data`: a single number, one for
/// each place on the axis, or one for each block of elements on it. `name` is the parameter's.
/// Empty where it is.
Output along_data(NodeContext& by, const std::string& name, const Output& parameter,
                  const Output& data, const QuantizedAxis& where);
/// A single number, or empty; throws ModelError for a parameter of other shapes.
Output one_number(NodeContext& by, const std::string& name, const Output& value);

/// values - zero_point, exact in that type.
Output centred(NodeContext& by, const Quantized& x, ElementType type);
/// (integers - zero) * scale in f32, of constants; `zero` may be empty.
Output dequantized_constant(NodeContext& by, const Tensor& integers, const Tensor& scale,
                            const Tensor& zero);

/// The least and the greatest number of a type.
struct QuantizedBounds {
    double least = 0;
    double greatest = 0;
};

/// round(value) + zero_point within bounds, those of `type` unless given: an integer of 8 or 16
/// bits; halves go to the even number. `value` is floating; an empty zero point is 0.
Output rounded_to(NodeContext& by, const Output& value, const Output& zero_point, ElementType type,
                  std::optional<QuantizedBounds> bounds = {});

}  // namespace rondo::onnx
