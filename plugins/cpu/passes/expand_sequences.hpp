// Turns the sequences that the CPU's passes fused back into the original ops.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Replaces each OrderedSequence by its sequence and the Transposes that its order needs, and each
/// SequenceStack by its layers, Y [N,1,T,H] passed on as [N,T,H] by a Squeeze. Sequences and
/// Transposes have their original names; weights are copies that share their memory, so that this
/// graph has no node of the graph that runs. Any device and any file can hold the result. Returns
/// true if the graph changed.
bool expand_sequences(Graph& graph);

}  // namespace rondo::cpu
