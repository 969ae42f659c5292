// Leaves the transposing of X and Y to the recurrent sequence between them.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Joins each LSTM-, GRU- or RNNSequence with constant weights and the Transposes that make its X
/// and that read its Y into an OrderedSequence, where I and H stay the last axis and nobody reads
/// Y in another order. Time-first models have them round every layer. True where something changed.
bool order_sequences(Graph& graph);

}  // namespace rondo::cpu
