// Real and complex numbers as ONNX's spectral operators hold them: a last axis of 1 or 2 parts.
#pragma once

#include "frontend/onnx/ops/common/arithmetic.hpp"

namespace rondo::onnx {

/// The last extent of the data; throws UnsupportedError where the rank isn't known, ModelError
/// where that is neither 1 nor 2, or the rank is below `least`. `what` names the data.
Dimension parts_of(const Output& data, std::size_t least, const char* what);

/// The data with two parts: an imaginary part of 0 where it has one.
Output with_two_parts(NodeContext& context, Arithmetic& by, const Output& data);

}  // namespace rondo::onnx
