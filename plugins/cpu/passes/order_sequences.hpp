// Leaves the transposing of X and Y to the recurrent sequence between them.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Joins an LSTM-, GRU- or RNNSequence with constant weights into an OrderedSequence: with the
/// Transpose that makes its X, where I stays the last axis, and with those that read its Y, where H
/// does, they agree in their order, and nobody else reads Y. Time-first models have both round
/// every layer. True where something changed.
bool order_sequences(Graph& graph);

}  // namespace rondo::cpu
