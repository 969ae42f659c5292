// Turns loops over a recurrent cell into sequence ops.
#pragma once

#include <string>

#include "core/graph/graph.hpp"
#include "core/ops/control/iterated_op.hpp"

namespace rondo::passes {

/// Loop and TensorIterator whose bodies are an LSTM, GRU or RNN cell, however that is written, and
/// which run it once for each step of their inputs. OpenVINO: ConvertTensorIteratorToLSTMSequence
/// and its likes.
bool loops_to_sequences(Graph& graph);

/// What keeps a loop of the graph that the pass has left from becoming a sequence, as the end of a
/// sentence such as "loop 'x' stays: its condition depends on the state 'h'".
std::string why_loop_stays(Graph& graph, ops::IteratedOp& loop);

}  // namespace rondo::passes
