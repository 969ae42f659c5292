// Turns loops over a recurrent cell into sequence ops.
#pragma once

#include <string>

#include "core/graph/graph.hpp"
#include "core/ops/control/iterated_op.hpp"

namespace rondo::passes {

/// Loop and TensorIterator whose bodies are LSTM, GRU or RNN cells, however those are written, and
/// which run them once for each step of their inputs: a sequence for each cell. OpenVINO:
/// ConvertTensorIteratorToLSTMSequence and its likes.
bool loops_to_sequences(Graph& graph);

/// What keeps a loop of the graph that the pass has left from becoming a sequence, as the end of a
/// sentence such as "loop 'x' stays: its condition depends on the state 'h'".
std::string why_loop_stays(Graph& graph, ops::IteratedOp& loop);

}  // namespace rondo::passes
