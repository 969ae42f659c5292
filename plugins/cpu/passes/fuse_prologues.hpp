// Fuses reductions and softmax with the elementwise ops in front of them.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Fuses each Reduce along constant last axes and each SoftMax along the last axis, of f32 or f64,
/// with the elementwise op, single or fused, that computes its data and that nothing else reads.
/// Returns true if the graph changed.
bool fuse_prologues(Graph& graph);

}  // namespace rondo::cpu
