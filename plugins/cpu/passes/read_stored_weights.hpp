// Marks the Converts of weights that nothing has to compute.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Replaces each Convert of constant 16-bit weights by StoredWeights where all its readers are
/// recurrent layers that take the weights as the file stores them. True where something changed.
bool read_stored_weights(Graph& graph);

}  // namespace rondo::cpu
