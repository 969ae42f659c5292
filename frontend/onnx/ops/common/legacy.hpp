// Attributes that operators of old opsets have: honoured, or refused with the reason.
#pragma once

#include "core/ops/elementwise/broadcasting.hpp"
#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

/// Reads `consumed_inputs`, which said before opset 8 which inputs may be overwritten.
void skip_consumed_inputs(NodeContext& by);

/// The operands of an elementwise operator and how their shapes become one.
struct Operands {
    Output a;
    Output b;
    ops::AutoBroadcast rule = ops::AutoBroadcast::numpy;
};

/// Inputs 0 and 1. Before opset 7 the attributes `broadcast` and `axis` say how the axes of b
/// meet those of a: b is reshaped to that. Without `broadcast` both have the same shape.
/// Throws ModelError if a would be broadcast to b then.
Operands operands_of(NodeContext& by);

}  // namespace rondo::onnx
