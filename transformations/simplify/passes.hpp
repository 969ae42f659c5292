// Declares the passes of this folder. Each returns whether it has changed the graph.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Moves a transpose up to other transposes, through the ops between them, if that saves any.
///
/// The usual case: recurrent ops are batch-first here, but time-major in ONNX, so that stacked
/// layers are connected as Y [N,1,T,H] -> Transpose -> Squeeze -> Transpose -> X [N,T,H], which
/// becomes Y -> Squeeze -> X. It passes through the ops that move_axes() knows. Each change
/// leaves fewer transposes in the graph, and computes no element twice or differently.
bool cancel_transposes(Graph& graph);

/// Removes nodes that return an input unchanged.
///
/// Transposes that move nothing, views and broadcasts to the same shape, conversions to the
/// same type, Concat of one input, splits into one part, slices of everything, and arithmetic
/// that changes no bit: x*1, x/1, x^1, x-0, x+(-0), and x+0 of integers (x+0 turns -0 into 0).
bool eliminate_no_ops(Graph& graph);

/// Computes what depends on constants alone, and shapes that are known, when the model is
/// compiled.
///
/// Not folded are: recurrent ops (their cost has no bound, and the device has its own
/// rounding), results over 64 KiB that are also over 4 times as large as the inputs (the
/// broadcast of a scalar, say; an input read twice counts once), and Converts marked
/// "decompression", so that f16 weights stay f16. The constants of the graph and of its bodies,
/// which are folded as well, together grow to at most 4 times their bytes before the first run,
/// or to 16 MiB: a chain of Concat(t, t) doubles with each node. The graph keeps this limit for
/// later runs. Constants that are removed don't count. Throws ModelError if constants have
/// values that their reader forbids.
bool fold_constants(Graph& graph);

/// Replaces chains of Reshape, Squeeze and Unsqueeze by one Reshape, or removes them.
///
/// One Reshape can hold one open extent; chains with more of them stay, unless an Unsqueeze and
/// a Squeeze cancel out. A view that might refuse its input at run time is never removed.
bool merge_reshapes(Graph& graph);

/// Merges two transposes in a row; one that moves only axes of extent 1 becomes a reshape.
///
/// Where several nodes read the first transpose, it stays for the others. Orders must be
/// constants.
bool merge_transposes(Graph& graph);

/// Keeps the first of several equal nodes.
///
/// Two nodes are equal if their type, attributes and inputs are. Constant inputs are compared
/// by value up to 4 KiB, above that by address. Constants themselves are never merged; neither
/// are inputs, outputs, and nodes that use a variable.
bool share_equal_nodes(Graph& graph);

/// Reads extents from the first tensor that has them, or makes them constants.
///
/// Gather(ShapeOf(y), i) with constant indices: where all those extents are known it is a
/// constant; where they all come from one tensor x further up it reads ShapeOf(x). Thus nothing
/// is computed for its shape alone, and all layers of a model read the same extents.
bool simplify_extents(Graph& graph);

/// Moves constants into the bodies that read them.
///
/// A constant that a body gets whole and in each iteration becomes a constant of the body, with
/// the same memory; the parameter goes, and the op's input too where nothing else reads it.
/// Passes then fold it there, and kernels pack it once.
bool sink_constants(Graph& graph);

/// Moves the widening of 16-bit constants after the ops that only move their elements.
///
/// Convert -> Transpose becomes Transpose -> Convert where the Convert is marked
/// "decompression", reads a constant, and all other inputs (axes, lengths, indices) are
/// constants too; fold_constants then computes the narrow side. The same holds for Split,
/// VariadicSplit, Reshape, Squeeze, Unsqueeze, Slice, StridedSlice, Gather, and a Concat all of
/// whose inputs are widened from one type to one other. Every bit stays: these ops read no
/// value. A Convert with other readers stays for those.
bool sink_decompression(Graph& graph);

/// Keeps large matrices of integers as they are compressed.
///
/// A MatMul of f32 whose right side is (Convert(constant of 8, 4 or 2 bits) - zero point) * scale,
/// with or without a Reshape and a Convert to f32 after it: the first Convert is marked as in IRs,
/// so that fold_constants leaves all of it. Only for matrices of 2 MiB of f32 or more that no
/// other node reads: others are faster as f32, and weights that many steps read may be those of a
/// recurrent layer, as are those of a product that a sigmoid or a tanh takes.
bool keep_compressed_weights(Graph& graph);

/// Turns loop-carried values that never change into plain inputs.
///
/// Exporters hand weights from iteration to iteration as if they were states. A value that the
/// body passes on as it is becomes one that the body gets whole each time, and the op's output
/// of it is the op's input. sink_constants can then move it into the body.
bool hoist_loop_invariants(Graph& graph);

/// Replaces choices that are settled.
///
/// An If whose condition is a constant becomes the nodes of that branch. It stays where an
/// input of the model would become an output.
bool unroll_if(Graph& graph);

/// Replaces loops that run once, or never.
///
/// A Loop or TensorIterator that has exactly one iteration becomes the nodes of its body; one
/// that has none becomes its inputs, and constants without elements where it joins parts. It
/// stays where an input of the model would become an output, where its one part is not the whole
/// input, or where no iteration joins parts of an open extent.
bool unroll_loop(Graph& graph);

/// Lets loops join the parts that their bodies append to a tensor.
///
/// Exporters write `y = torch.cat([y, part])` as a loop-carried value, which each iteration
/// copies as far as it has grown. If it is empty along that axis at first, and each iteration
/// joins a part of one known extent to its end or to its front, an output of the loop joins the
/// parts. A Reshape of that output sets the first value's other extents, unless they are known:
/// without an iteration nothing else decides them, and parts with other extents are refused.
/// Stays: a value that the body reads for something else, one of several open extents besides
/// the axis, and a loop that never runs.
bool loop_concat_to_output(Graph& graph);

/// Replaces the same op on each of a tensor's elements along an axis by one op on the tensor.
///
/// What a step of a written-out loop does to its input or to its result alone, it does to the
/// parts of a tensor: a linear layer, elementwise ops, rows of a table, a normalisation. Where
/// all parts get the same, the op takes the whole tensor, and its result is cut instead. The
/// bits of each part stay.
bool batch_equal_ops(Graph& graph);

/// Replaces a Concat of all the elements along one axis of a tensor by that tensor in another
/// order.
///
/// Concat(x[0], x[1], ..), where the parts are all of x along an axis and without it, becomes a
/// Transpose that puts this axis in front of the joined one, and a Reshape that merges both.
/// The last states of both directions side by side are thus a view of Ho [N,2,H]. Parts that
/// have an axis of extent 1 where they are joined become the Transpose alone. Stays: parts in
/// another order or of an open extent, and an output with two open extents that aren't in front
/// of the joined axis.
bool concat_to_transpose(Graph& graph);

/// Leaves out cuts whose parts are joined again as they were, and joins whose parts are cut
/// out.
///
/// A Concat of neighbouring parts of one tensor (slices.hpp) reads them as one part, or the
/// tensor itself where they are all of it; a part of a Concat that lies in one of its inputs is
/// taken from that input, or is that input. It joins some of the parts only if the ops that cut
/// them disappear. Stays: parts in another order, and a Split of an open extent, which is a
/// check.
bool cancel_slice_concat(Graph& graph);

/// Rewrites every reversal of an axis as a Slice with step -1.
///
/// A ReverseSequence of whole rows, or a Gather of all elements from the last one to the first,
/// becomes such a Slice, and what computed its lengths falls out of the graph. Stays: a Gather
/// of a ShapeOf, the form in which make_shape() reads extents in any order.
bool reversals_to_slices(Graph& graph);

/// Replaces the update of a range of a tensor, which exporters write for `x[:, a:b] = y`, by a
/// Concat.
///
/// A ScatterNDUpdate whose indices are constants and a range along one axis becomes a Concat of
/// the update and slices of the data. Bodies are left as they are.
bool scatter_to_concat(Graph& graph);

/// Replaces data movement of a uniform tensor (splats.hpp) by one Broadcast.
///
/// What is cut from the zeros of all layers becomes zeros of its own: Slice, Transpose, views
/// and Concat of a Broadcast are left out. Stays: what takes more than one Broadcast of a
/// computed shape, or whose extents aren't certain.
bool merge_splats(Graph& graph);

/// Makes constant what is known of shapes that are computed from other shapes.
///
/// A vector whose elements are all numbers becomes a constant, even if it is cut from a shape
/// of open extents or computed from one (integers.hpp says through which ops). A Reshape
/// whose pattern consists of numbers, extents of its data and a product of them gets a constant
/// pattern of numbers, 0 and -1, where that means the same for every shape. A Broadcast reads
/// its target's extents straight from the tensors that they come from. Stays: a pattern that
/// the Reshape might refuse, and extents that other ops compute.
bool fold_shapes(Graph& graph);

}  // namespace rondo::passes
