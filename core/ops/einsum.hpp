// Einsum as a small graph.
#pragma once

#include <string>
#include <vector>

#include "core/ops/builder.hpp"

namespace rondo::ops {

/// The sum of products that an equation like "ij,jk->ik" names. Inputs are joined from left to
/// right, each time as one product of matrices, or by multiplying elements. Returns an input if
/// nothing is to be done. Throws ModelError for an equation or shapes that don't fit, and
/// UnsupportedError if a rank must be known.
Output einsum(Builder& by, const std::string& equation, const std::vector<Output>& inputs);

}  // namespace rondo::ops
