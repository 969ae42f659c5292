// Fuses recurrent sequences that feed each other into one node, which may run as a wavefront.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Fuses each chain of LSTM-, GRU- and RNNSequences in which a layer's X is the Y of the layer
/// below (views between them aside) into a SequenceStack, if they agree in direction, which is
/// not bidirectional, and lengths, have constant weights, and no state of a layer depends on one
/// below. Each layer's Y and states remain outputs. Returns true if the graph changed.
bool stack_sequences(Graph& graph);

}  // namespace rondo::cpu
