// Turns recurrent cells that are written out step by step into sequence ops.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Chains of four or more equal LSTM, GRU or RNN cells, however they are written, each of which
/// reads one part of a tensor and the states of the one before.
bool steps_to_sequences(Graph& graph);

}  // namespace rondo::passes
