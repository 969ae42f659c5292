// Tensors of any number type as doubles, and back: integers are rounded and bounded.
#pragma once

#include <span>
#include <vector>

#include "rondo/tensor.hpp"

namespace rondo::reference {

/// The elements of a contiguous tensor of a floating or an integer type.
std::vector<double> to_numbers(const Tensor& tensor);

/// Writes as many values as the tensor has elements: floating ones are rounded once, integers are
/// rounded to the nearest, halves to the even one, and bounded by their type.
void from_numbers(std::span<const double> values, Tensor& tensor);

}  // namespace rondo::reference
