// Widens weights of the type nf4, which tensors don't have.
#pragma once

#include "rondo/tensor.hpp"

namespace rondo::ir {

/// The f32 values of nf4 codes, a tensor of u4. Source of the sixteen values: Dettmers et al.,
/// "QLoRA: Efficient Finetuning of Quantized LLMs", appendix E.
Tensor nf4_values(const Tensor& codes);

}  // namespace rondo::ir
