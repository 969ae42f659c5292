// Constants stored as bf16: half their size, the range of f32, three digits.
#pragma once

#include "rondo/tensor.hpp"

namespace rondo::ir {

/// An f32 or f64 tensor as bf16, rounded to nearest even. An empty handle where the tensor should
/// stay as it is: another type, fewer than two elements (a scalar costs nothing to keep), or a
/// finite element that bf16 would make infinite.
Tensor compress_to_bf16(const Tensor& tensor);

}  // namespace rondo::ir
