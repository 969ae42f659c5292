// Floating tensors as doubles, and back: rounded once.
#pragma once

#include <span>
#include <vector>

#include "rondo/tensor.hpp"

namespace rondo::reference {

/// The elements of a contiguous f64, f32, f16 or bf16 tensor.
std::vector<double> to_doubles(const Tensor& tensor);

/// Writes as many values as the tensor has elements, each rounded to nearest even in one step.
void from_doubles(std::span<const double> values, Tensor& tensor);

}  // namespace rondo::reference
