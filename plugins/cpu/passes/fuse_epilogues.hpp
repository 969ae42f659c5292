// Fuses products and convolutions with the elementwise ops that follow them.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Fuses each MatMul, FusedMatMul without a program, and Convolution of f32 or f64 with the
/// elementwise op, single or fused, that alone reads it and has its shape; where extents are open,
/// a shape that it may have. Returns true if the graph changed.
bool fuse_epilogues(Graph& graph);

}  // namespace rondo::cpu
