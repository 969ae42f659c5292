// A tensor whose elements are all the same number.
#pragma once

#include "rondo/tensor.hpp"

namespace rondo::onnx {

/// `value` must be exact in `type`. It is used for 0, 1 and -1, and for scale factors of floating
/// types, which are rounded. Throws UnsupportedError for narrow types.
Tensor filled_tensor(ElementType type, const Shape& shape, double value);

}  // namespace rondo::onnx
