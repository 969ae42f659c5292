// Declares the passes of this folder. Each returns whether it has changed the graph.
#pragma once

#include <string>

#include "core/graph/graph.hpp"
#include "core/ops/control/control_ops.hpp"

namespace rondo::passes {

/// Replaces a single written-out recurrent step by a cell op.
///
/// The arithmetic of one LSTM, GRU or RNN step, whose states come from outside, becomes an
/// LSTMCell, GRUCell or RNNCell, as OpenVINO's LSTMCellFusion and GRUCellFusion do it. What
/// makes an RNN cell of a sum of two products is that its H comes from an input or a variable
/// of the model, and goes to an output or a variable.
bool cell_fusion(Graph& graph);

/// Folds the linear layer in front of a recurrent sequence into the sequence's W and B.
///
/// X = x A + b becomes X = x, W A^T as W and B + W b as B: a product less for each step.
/// Factors and numbers of each feature alone, as a batch normalisation has them, are taken in
/// likewise, also through Transposes. Only of f32 constants, where nothing else reads the
/// layer, and where A makes no fewer features than it reads, so that the new product isn't
/// larger than the old one. The new weights are computed in double and rounded once; sums are
/// added in another order. What adds more than 256 to a sum stays, since its rounding would
/// show: unscaled offsets.
bool fold_linear_layers(Graph& graph);

/// Joins two sequences of opposite directions on one input into one of both.
///
/// A forward and a reverse sequence of one kind that read the same X and lengths, with constant
/// weights: one bidirectional sequence, which runs both at once. What puts their outputs side
/// by side becomes a view or a transpose.
bool join_directions(Graph& graph);

/// Leaves out loops that only hand on the parts of their inputs.
///
/// An output of a loop that joins the parts of an input as it took them is that input, its axes
/// in another order; and what the last iteration hands on is the last part.
bool remove_copy_loops(Graph& graph);

/// Turns loops over a recurrent cell into sequence ops.
///
/// Loop and TensorIterator whose bodies are LSTM, GRU or RNN cells, however those are written,
/// and which run them once for each step of their inputs: a sequence for each cell. OpenVINO:
/// ConvertTensorIteratorToLSTMSequence and its likes.
bool loops_to_sequences(Graph& graph);

/// What keeps a loop of the graph that the pass has left from becoming a sequence, as the end of a
/// sentence such as "loop 'x' stays: its condition depends on the state 'h'".
std::string why_loop_stays(Graph& graph, ops::IteratedOp& loop);

/// Fuses a reversal of X into the sequence's direction.
///
/// A sequence of one direction whose X is reversed along the whole time axis, by a
/// ReverseSequence or a Slice, and whose Y, if anything reads it, is reversed again, runs in the
/// other direction instead, without the reversals.
bool fuse_reverse_into_sequence(Graph& graph);

/// Reads the last step of a recurrent sequence from its last state instead of from Y.
///
/// What a Slice, StridedSlice, Gather or Split cuts out of Y [N,D,T,H], also after views and
/// Transposes, becomes a view of Ho [N,D,H] if it is one direction's last step: step T-1 of a
/// forward direction, step 0 of a reverse one. Y is then not computed if nothing else reads it.
/// T may be open: for T = 0, for which the cut would fail, the result is the state before the
/// first step. Stays: rows with lengths of their own, and a Slice that may hold no step at all.
bool take_last_states(Graph& graph);

/// Leaves out what sorts the rows of a batch by length, for layers that need no such order, and
/// what sorts them back.
///
/// PyTorch's packed sequences sort their rows: TopK of the lengths, Gathers by its indices, and
/// after the layers Gathers by the inverse, a ScatterElementsUpdate of a Range. If all nodes
/// between these Gathers compute each row by itself, they get the rows in the original order.
/// Where there are fewer lengths than rows, which PyTorch refuses, the layer has an error.
/// Stays: what something else reads in the sorted order, and what mixes rows.
bool remove_length_sort(Graph& graph);

}  // namespace rondo::passes
