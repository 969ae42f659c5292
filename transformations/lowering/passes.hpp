// Declares the passes of this folder, each of which returns whether it has changed the graph; and
// the check of what they leave.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Takes sequences of both directions apart.
///
/// A bidirectional sequence that needs_lowering() becomes a forward and a reverse one, each
/// with its own activation functions, whose outputs are joined. Those that OpenVINO runs stay.
bool bidirectional_sequence_decomposition(Graph& graph);

/// Writes cells as the elementwise ops and products that they consist of.
///
/// A cell of `rondo1` (peepholes, input_forget, functions that OpenVINO's cells lack) becomes
/// MatMul, Split and elementwise ops, in f32 where its type has 16 bits. Standard cells stay.
/// What OpenVINO calls LSTMCellDecomposition, GRUCellDecomposition and RNNCellDecomposition.
bool cell_decomposition(Graph& graph);

/// Writes short sequences as cells, one a step.
///
/// A sequence of one direction that needs_lowering() and has one to three steps for certain
/// becomes so many cells, of `rondo1` where the sequence is. Lengths become Selects. Longer
/// ones stay.
bool convert_sequence_to_cells(Graph& graph);

/// Writes sequences as loops over a cell.
///
/// A sequence of one direction that needs_lowering() becomes a TensorIterator whose body is a
/// cell, of `rondo1` if the sequence is. If rows may have lengths below T, the body keeps a
/// row's states after its last step, and Y is 0 there. Nothing checks any more that lengths are
/// at most T.
bool convert_sequence_to_tensor_iterator(Graph& graph);

/// Gives OpenVINO a Loop where it can't run a TensorIterator.
///
/// A TensorIterator becomes a Loop that runs once for each part where its body has a
/// TensorIterator, which OpenVINO refuses, or where what is read of its outputs needs none of
/// the parts: OpenVINO drops such an input, and then runs the body once. Parts that a Loop reads
/// or joins from the last to the first are reversed by a Slice, since OpenVINO's Loop does
/// neither. Pre-condition: parts of one element that cover the axis; others stay.
bool convert_tensor_iterator_to_loop(Graph& graph);

/// Keeps inputs and outputs of a model apart, and its outputs.
///
/// An output that is an unchanged input, or the same tensor as an output before it, gets a
/// Convert to its own type before it, because OpenVINO knows their common tensor by the last
/// one's names alone. An output without names of its own stays.
bool keep_names_of_inputs(Graph& graph);

/// Writes the quantizing ops of `rondo1` as standard ops.
///
/// DynamicQuantizeLinear of a tensor of known rank becomes reductions and elementwise ops.
/// MatMulInteger becomes one or two MatMuls of f32, whose sums of integers are exact: with K up
/// to 258, or up to 4112 in two parts of 4 bits of b. Others stay.
bool quantization_decomposition(Graph& graph);

/// Throws UnsupportedError that names all nodes, also those in bodies, whose op, attribute or type
/// OpenVINO lacks: ops of `rondo1`, Converts that round in another way, types of its own, and axes
/// and the like that its CPU device wants as constants (port_forms()) and that come with the run.
void refuse_own_ops(const Graph& graph);

}  // namespace rondo::passes
