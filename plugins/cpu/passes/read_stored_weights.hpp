// Marks the Converts of weights that needn't be computed.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Replaces each Convert of constant 16-bit weights by StoredWeights if all its readers are
/// recurrent layers that read the weights in the file's type. Returns true if the graph changed.
bool read_stored_weights(Graph& graph);

}  // namespace rondo::cpu
