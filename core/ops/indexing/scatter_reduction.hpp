// Which elements a scatter's reduction takes.
#pragma once

#include "core/ops/indexing/functions.hpp"
#include "rondo/element_type.hpp"

namespace rondo {
class InferContext;
}

namespace rondo::ops {

/// Throws UnsupportedError through `context` unless the reduction takes elements of that type.
void check_reduction(const InferContext& context, ScatterReduction reduction, ElementType type);

}  // namespace rondo::ops
