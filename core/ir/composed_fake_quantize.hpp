// FakeQuantize as a small graph of other ops.
#pragma once

#include "core/ir/composition.hpp"

namespace rondo::ir {

/// Inputs: x, and the bounds of the input's and the output's range, which broadcast to x. Elements
/// outside of the first range become the bounds of the second; the others the nearest of its
/// `levels`, halves the even one. Throws ModelError for fewer than two levels, UnsupportedError
/// for PDPD's broadcasting.
Output fake_quantize(Composition& by);

}  // namespace rondo::ir
