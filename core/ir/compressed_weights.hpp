// Weights stored at a half to an eighth of their size: as f16, bf16 or nf4, a type that tensors
// don't have.
#pragma once

#include "core/ops/source/source_ops.hpp"
#include "rondo/tensor.hpp"

namespace rondo::ir {

/// An f32 or f64 tensor as f16: rounded to nearest even, clamped to +-65504 (infinities too), NaN
/// kept. An empty handle if the tensor should stay as it is: another type, no elements, or at
/// least 75 % of the elements would lose their value: too large, or off by more than 0.1 % (0.01 %
/// if there is only one). These are OpenVINO's limits, found by experiment with 2026.4.
Tensor compress_to_f16(const Tensor& tensor);

/// A constant's value as `type`: f16 or bf16. An empty handle if it stays as it is: for another
/// type, if its elements would lose too much, and if an op takes them for scales, regions or
/// bounds, so that rounding would change the shape of its output.
Tensor compressed(const ops::Constant& constant, ElementType type);

/// An f32 or f64 tensor as bf16, rounded to nearest even. An empty handle if the tensor should
/// stay as it is: another type, fewer than two elements (a scalar costs nothing to keep), or a
/// finite element that bf16 would make infinite.
Tensor compress_to_bf16(const Tensor& tensor);

/// The f32 values of nf4 codes, a tensor of u4. Source of the sixteen values: Dettmers et al.,
/// "QLoRA: Efficient Finetuning of Quantized LLMs", appendix E.
Tensor nf4_values(const Tensor& codes);

}  // namespace rondo::ir
