// Finds states of recurrent cells that are written out op by op.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// True where the graph's input holds the states of one LSTM or GRU cell, H of both and C of an
/// LSTM as parts of it, and the output holds the next ones, in the same order. The cell's X depends
/// on none of them.
bool is_written_cell(const Graph& graph, const Node& parameter, const Node& result);

}  // namespace rondo::passes
