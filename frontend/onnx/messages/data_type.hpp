// ONNX's numbers for element types.
#pragma once

#include <cstdint>

#include "rondo/element_type.hpp"

namespace rondo::onnx {

/// The element type of a TensorProto.DataType. Throws UnsupportedError for the types that Rondo
/// can't hold (strings, complex, 8-bit floats, 4-bit integers, and numbers newer than this list),
/// ModelError for 0, "undefined".
ElementType element_type_from_onnx(std::int32_t data_type);

}  // namespace rondo::onnx
