// Constants of products whose numbers are rounded to bf16.
#pragma once

#include "rondo/tensor.hpp"

namespace rondo::cpu {

/// A dense tensor of f32, f16 or bf16 as weights of kBf16: see round_to_bf16().
Tensor rounded_to_bf16(const Tensor& weights);

}  // namespace rondo::cpu
