// Cuts products in a loop's body, so that a part of each can be computed before the loop.
#pragma once

#include "core/graph/graph.hpp"
#include "plugins/cpu/passes/loop_values.hpp"

namespace rondo::cpu {

/// Concat(x, h) * W becomes x * W1 + h * W2 where W is a constant, and some of what is joined is no
/// state. Sums are added in another order. Returns true if the body changed.
bool split_products(Graph& body, const LoopValues& values);

}  // namespace rondo::cpu
