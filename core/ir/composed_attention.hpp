// OpenVINO's ScaledDotProductAttention as products and a softmax.
#pragma once

#include "core/ir/composition.hpp"

namespace rondo::ir {

/// softmax(scale Q K' + mask) V. Q [..., L, E], K [..., S, E], V [..., S, Ev]; a mask of truth
/// values keeps where it is true. `causal`: row i sees the first i + 1 keys, and the mask isn't
/// read. The scale is 1 / sqrt(E) where none is given.
Output scaled_dot_product_attention(Composition& by);

}  // namespace rondo::ir
