// ONNX's numbers for element types, and the extents of its tensor messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "frontend/onnx/messages/attributes.hpp"
#include "rondo/element_type.hpp"
#include "rondo/error.hpp"
#include "rondo/shape.hpp"

namespace rondo::onnx {

/// The element type of a TensorProto.DataType. Throws UnsupportedError for the types that Rondo
/// can't hold (strings, complex numbers, 6-bit floats, and numbers newer than this list),
/// ModelError for 0, "undefined".
ElementType element_type_from_onnx(std::int32_t data_type);

/// The TensorProto.DataType of an element type. Throws UnsupportedError for `dynamic`.
std::int32_t onnx_from_element_type(ElementType type);

/// The element type that a TensorProto.DataType names, as "FLOAT", in any case of letters. Throws
/// as above, and ModelError for what is no name.
ElementType element_type_from_name(const std::string& name);

/// The element type that an attribute names; empty if that is absent. Throws as
/// element_type_from_onnx(), and ModelError for what is no data type.
std::optional<ElementType> find_element_type(Attributes& attributes, const std::string& name);

/// `dims`: a message's repeated field. Throws ModelError for an extent below 0.
template <typename Dims>
Shape shape_of_dims(const Dims& dims) {
    Shape shape;
    for (const std::int64_t extent : dims) {
        if (extent < 0) {
            throw ModelError("an extent is " + std::to_string(extent) + "; expected 0 or more");
        }
        shape.push_back(static_cast<std::size_t>(extent));
    }
    return shape;
}

}  // namespace rondo::onnx
