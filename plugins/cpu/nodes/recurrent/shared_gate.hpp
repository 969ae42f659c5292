// Finds GRUs whose gates z and r are functions of one sum, or of it and its negative.
#pragma once

#include <cstddef>

#include "rondo/tensor.hpp"

namespace rondo::cpu {

/// Whether the rows of r are those of z, or, if `negative`, the negatives of those, in all
/// directions. `weights`: W, R or B, whose axis `gates` holds 3H rows: axis 1, after that of the
/// directions, or axis 0 of a cell, which has one direction.
bool has_shared_sum(const Tensor& weights, std::size_t gates, bool negative);

/// The same weights without the H rows of r.
Tensor without_reset_gate(const Tensor& weights, std::size_t gates);

}  // namespace rondo::cpu
