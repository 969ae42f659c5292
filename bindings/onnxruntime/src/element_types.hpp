// ONNX's numbers of element types, which are onnxruntime's, too.
#pragma once

#include "rondo/element_type.hpp"

namespace rondo::ort {

/// Throws UnsupportedError that names the number if Rondo has no such type, or one of fewer than 8
/// bits: Rondo has a byte for each of those, and onnxruntime packs them.
ElementType element_type_of_number(int number);

}  // namespace rondo::ort
