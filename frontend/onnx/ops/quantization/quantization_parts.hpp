// What the converters of quantized operators have in common: scales, zero points, rounding.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/composer.hpp"

namespace rondo::onnx {

// In all of these `role` names the new ops, as NodeContext::make() says.

/// Throws UnsupportedError unless the type, which must be known, is one of these; `what` names the
/// tensor.
ElementType expect_type(const Output& value, const std::string& what,
                        std::initializer_list<ElementType> types);

/// True for the integers of 8 and 16 bits.
bool is_quantized(ElementType type);

/// The type that an attribute names by ONNX's number; nothing where it is absent or 0.
std::optional<ElementType> find_type(NodeContext& context, const std::string& attribute);

/// The value itself where it has the type.
Output converted(NodeContext& context, const std::string& role, const Output& value,
                 ElementType type);

/// i8, u8 or f32, which has every number of a narrow type; other types are their own.
ElementType widened_type(ElementType type);
/// The value in that type; a constant is widened while the model is read.
Output widened(NodeContext& context, const std::string& role, const Output& value);
/// The numbers of a narrow type's tensor in a wider one.
Tensor widened(const Tensor& narrow, ElementType type);

/// The operator's attributes on how parameters lie along the data.
struct QuantizedAxis {
    std::int64_t axis = 1;
    std::int64_t block_size = 0;
};

/// Reads `axis` and `block_size`. Throws ModelError for a negative size.
QuantizedAxis read_axis(NodeContext& context);

/// The data, known to have as many places on the axis as a parameter, which may be empty.
Output with_places(NodeContext& context, const std::string& role, const Output& data,
                   const Output& parameter, const QuantizedAxis& where);
/// Whether a parameter, a result of along_data() or empty, never makes the data wider.
bool keeps_places(const Output& parameter, const Output& data, const QuantizedAxis& where);
/// A scale or a zero point in a shape that broadcasts to that of `data`: a single number, one for
/// each place on the axis, or one for each block of elements on it. `name` is the parameter's.
Output along_data(NodeContext& context, const std::string& name, const Output& parameter,
                  const Output& data, const QuantizedAxis& where);

/// (integers - zero) * scale in f32, of constants; `zero` may be empty.
Output dequantized_constant(Composer& by, const Tensor& integers, const Tensor& scale,
                            const Tensor& zero);

/// The least and the greatest number of a type.
struct QuantizedBounds {
    double least = 0;
    double greatest = 0;
};

/// round(value) + zero_point within bounds, those of `type` unless given: an integer of 8 or 16
/// bits; halves go to the even number. `value` is floating; an empty zero point is 0. The last op
/// has the name of the node itself.
Output rounded_to(NodeContext& context, const Output& value, const Output& zero_point,
                  ElementType type, std::optional<QuantizedBounds> bounds = {});

}  // namespace rondo::onnx
