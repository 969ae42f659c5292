// Turns the sequences that the CPU's passes joined back into the ops that they were made of.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Replaces each OrderedSequence by its sequence and the Transposes that its order needs, and each
/// SequenceStack by its layers, Y [N,1,T,H] handed on as [N,T,H] by a Squeeze. Sequences and
/// Transposes have the names that they had; weights are copies that share their memory, so that
/// nothing of the graph that runs is in this one. Any device and any file takes the result. True
/// where something changed.
bool expand_sequences(Graph& graph);

}  // namespace rondo::cpu
