// Turns loops over a recurrent cell into sequence ops.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Loop and TensorIterator whose bodies are an LSTM, GRU or RNN cell, however that is written, and
/// which run it once for each step of their inputs. OpenVINO: ConvertTensorIteratorToLSTMSequence
/// and its likes.
bool loops_to_sequences(Graph& graph);

}  // namespace rondo::passes
