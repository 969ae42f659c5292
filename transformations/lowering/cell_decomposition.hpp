// Writes cells as the elementwise ops and products that they consist of.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A cell of `rondo1` (peepholes, input_forget, functions that OpenVINO's cells lack) becomes
/// MatMul, Split and elementwise ops, in f32 where its type has 16 bits. Standard cells stay. What
/// OpenVINO calls LSTMCellDecomposition, GRUCellDecomposition and RNNCellDecomposition.
bool cell_decomposition(Graph& graph);

}  // namespace rondo::passes
