// Constants stored at half or a quarter of their size.
#pragma once

#include "rondo/tensor.hpp"

namespace rondo::ir {

/// An f32 or f64 tensor as f16: rounded to nearest even, clamped to +-65504 (infinities too), NaN
/// kept. An empty handle where the tensor should stay as it is: another type, no elements, or at
/// least 75 % of the elements would lose their value: too large, or off by more than 0.1 % (0.01 %
/// where there is only one). These are OpenVINO's limits, found by experiment with 2026.4.
Tensor compress_to_f16(const Tensor& tensor);

}  // namespace rondo::ir
