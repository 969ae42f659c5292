// Fuses the Transposes of X, Y and the states with the recurrent sequence between them.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Fuses an LSTM-, GRU- or RNNSequence with constant weights into an OrderedSequence: with the
/// Transpose that makes its X, if I stays the last axis, and with those that read its Y, if H does,
/// they agree in their order, and no other node reads Y. Time-first models have both around every
/// layer. A Squeeze between Y and its Transposes goes behind them. Likewise with the Transposes
/// between [D,N,H] and the states [N,D,H]: those of H0 and C0 together, and those of Ho and Co, as
/// far as these are read. A SequenceStack takes those of X and of the highest layer's Y.
/// Returns true if the graph changed.
bool order_sequences(Graph& graph);

}  // namespace rondo::cpu
