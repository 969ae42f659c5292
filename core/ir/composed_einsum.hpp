// Writes OpenVINO's Einsum as products of matrices.
#pragma once

#include "core/ir/composition.hpp"

namespace rondo::ir {

/// Inputs are joined from left to right, each time by MatMul or Multiply. Throws UnsupportedError
/// where a letter stands twice in one input.
Output einsum(Composition& by);

}  // namespace rondo::ir
