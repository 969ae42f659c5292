// Elementwise ops whose inputs aren't broadcast.
#pragma once

#include "core/ops/elementwise/broadcasting.hpp"

namespace rondo::passes {

/// True for an elementwise op that demands equal shapes: an axis that one of its inputs gets is one
/// that all of them need.
inline bool needs_equal_shapes(const Node& node) {
    const auto* op = as_op<ops::Broadcasting>(node);
    return op != nullptr && op->auto_broadcast() == ops::AutoBroadcast::none;
}

}  // namespace rondo::passes
