// Declares passes of the CPU plugin. Those that return a flag say whether they changed the graph.
#pragma once

#include "core/graph/graph.hpp"
#include "plugins/cpu/passes/loop_values.hpp"

namespace rondo::cpu {

/// Turns the ops that the CPU's passes fused back into the original ops.
///
/// Replaces each FusedOp by its parts, under their names, StoredWeights by the Convert and
/// ScaledWeights by the product. Returns true if the graph changed.
bool expand_fused(Graph& graph);

/// Turns the sequences that the CPU's passes fused back into the original ops.
///
/// Replaces each StridedSequence by its sequence and the Transposes that its order needs, and
/// each SequenceStack by its layers, Y [N,1,T,H] passed on as [N,T,H] by a Squeeze. Sequences
/// and Transposes have their original names; weights are copies that share their memory, so
/// that this graph has no node of the graph that runs. Any device and any file can hold the
/// result. Returns true if the graph changed.
bool expand_sequences(Graph& graph);

/// Replaces a Convert of a constant by the converted constant, unless layers widen it
/// themselves.
///
/// Folds every Convert whose input is a constant, also in bodies, those marked "decompression"
/// among them. W and R of recurrent layers with constant weights keep reading f16 or bf16
/// through their Convert: the kernels widen these in registers. What other nodes compute from
/// the widened constants alone, such as the sum of a bias's halves, is folded with them
/// (passes::fold_constants). Returns true if the graph changed.
bool fold_decompression(Graph& graph);

/// Fuses products with the bias that is added to them.
///
/// Fuses a MatMul of f32 with a constant matrix on its right, and the Add of a constant row
/// after it, into a FusedMatMul. No other node may read the product, and its left side isn't
/// transposed. Returns true if the graph changed.
bool fuse_bias(Graph& graph);

/// Fuses elementwise ops that read each other into one loop.
///
/// Fuses each elementwise op of f32, f64 or truth values with those that compute its inputs,
/// and so on, into a FusedElementwise: ops that only it reads, with the shape of its output. An
/// op with other readers stays separate. Returns true if the graph changed.
bool fuse_elementwise(Graph& graph);

/// Fuses products and convolutions with the elementwise ops that follow them.
///
/// A MatMulInteger and the Convert of its result to f32, which alone reads it, become a
/// FusedMatMulInteger first.
///
/// Fuses each MatMul, FusedMatMul without a program, and Convolution of f32 or f64 with the
/// elementwise op, single or fused, that alone reads it and has its shape; where extents are
/// open, a shape that it may have. Returns true if the graph changed.
bool fuse_epilogues(Graph& graph);

/// Recognises normalisations that are written out.
///
/// (x - mean) / sqrt(variance + eps), with means along constant last axes, becomes one MVN of
/// f32 or f64, however the square and the root are written; eps may be added after the root.
/// Sums are added in another order. Returns true if the graph changed.
bool fuse_normalisation(Graph& graph);

/// Fuses reductions and softmax with the elementwise ops in front of them.
///
/// Fuses each Reduce along constant last axes and each SoftMax along the last axis, of f32 or
/// f64, with the elementwise op, single or fused, that computes its data and that nothing else
/// reads. Returns true if the graph changed.
bool fuse_prologues(Graph& graph);

/// Computes before a loop what doesn't depend on its states.
///
/// What the body of a Loop or TensorIterator makes of its inputs' parts alone is computed for
/// all steps at once, which reads weights once instead of in each step; what it makes of
/// unchanging inputs alone is computed once. The loop must run once for each part. A product of
/// x and a state side by side is cut in two, so its sums are added in another order. Returns
/// true if the graph changed.
bool hoist_from_loops(Graph& graph);

/// Keeps W and R of recurrent layers as integers with scales, where a file has them so.
///
/// Looks for W and R that are Convert(constant of i8 or u8), less a constant zero point or not,
/// times a constant scale; both one number, or one for each direction or row. A layer or a cell of
/// f32 that may round its rows (rt_info), whose W and R are such, and whose B and P are constants,
/// gets ScaledWeights: q - zero_point as i8 where that fits, else as i16. Other layers, and rows
/// longer than kMaxQuantized, get the product as a constant. Returns true if the graph changed.
bool keep_int8_weights(Graph& graph);

/// Turns convolutions of 8-bit integers into products of bytes.
///
/// A Convolution of f32 of data that a Convert makes of bytes, less a zero point or not, with
/// constant filters that are integers, and sums that f32 holds exactly: rows of what each filter
/// meets, [N,..,K], times the filters in a MatMulInteger, where the processor multiplies bytes in
/// fours (AVX-512 VNNI, AMX), and there are enough channels and filters. A Convert of such sums to
/// i32 and back is left out. Every bit stays. Returns true if the graph changed.
bool convolve_bytes(Graph& graph);

/// Keeps the right sides of products as integers, where keep_compressed_weights() has left them.
///
/// A MatMul of f32 gets a CompressedMatrix where a column of the product, or a group of K in it,
/// has one zero point and one scale. fold_decompression folds other chains. Returns true if the
/// graph changed.
bool hold_compressed_matrices(Graph& graph);

/// Leaves out initial states that are zeros and lengths that are all T.
///
/// The kernels start from zeros and take all steps by themselves (default_input.hpp), so that
/// nothing has to compute a shape, fill a tensor or compare lengths. Only where zeros, their
/// extents and the lengths are certain for every shape; constants cost nothing and stay. A
/// plain sequence with constant weights becomes an StridedSequence for that.
bool drop_default_inputs(Graph& graph);

/// Gives the model's outputs names of their own.
///
/// Names each Result that has no tensor name after its input, or, if that has no name, after
/// its producer: later passes may fuse either with other nodes. Returns true if the graph
/// changed.
bool name_outputs(Graph& graph);

/// Fuses the Transposes of X, Y and the states with the recurrent sequence between them.
///
/// Fuses an LSTM-, GRU- or RNNSequence with constant weights into an StridedSequence: with the
/// Transpose that makes its X, if I stays the last axis, and with those that read its Y, if H
/// does, they agree in their order, and no other node reads Y. Time-first models have both
/// around every layer. A Squeeze between Y and its Transposes moves after them. Likewise with
/// the Transposes between [D,N,H] and the states [N,D,H]: those of H0 and C0 together, and
/// those of Ho and Co, as far as these are read. A SequenceStack takes those of X and of the
/// highest layer's Y. Returns true if the graph changed.
bool fuse_transposes(Graph& graph);

/// Marks the Converts of weights that needn't be computed.
///
/// Replaces each Convert of constant 16-bit weights by StoredWeights if all its readers are
/// recurrent layers that read the weights in the file's type. Returns true if the graph
/// changed.
bool read_stored_weights(Graph& graph);

/// Cuts products in a loop's body, so that a part of each can be computed before the loop.
///
/// Concat(x, h) * W becomes x * W1 + h * W2 where W is a constant, and some of what is joined
/// is no state. Sums are added in another order. Returns true if the body changed.
bool split_products(Graph& body, const LoopValues& values);

/// Fuses recurrent sequences that feed each other into one node, which may run as a wavefront.
///
/// Fuses each chain of LSTM-, GRU- and RNNSequences in which a layer's X is the Y of the layer
/// below (views between them aside) into a SequenceStack, if they agree in direction, which is
/// not bidirectional, and lengths, have constant weights, and no state of a layer depends on
/// one below. Each layer's Y and states remain outputs. Returns true if the graph changed.
bool stack_sequences(Graph& graph);

}  // namespace rondo::cpu
