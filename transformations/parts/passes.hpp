// The passes of this folder. Each returns whether it has changed the graph.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Lets loops join the parts that their bodies append to a tensor.
///
/// Exporters write `y = torch.cat([y, part])` as a value that goes round, of which each
/// iteration copies all that is there. Where it is empty along that axis at first, and each
/// iteration joins a part of one known extent to its end or to its front, an output of the loop
/// joins the parts. A Reshape behind it has the first value's other extents, unless they are
/// known: without an iteration nothing else decides them, and parts of others are refused.
/// Stays: a value that the body reads for something else, one of several open extents besides
/// the axis, and a loop that never runs.
bool join_grown_values(Graph& graph);

/// One op on a tensor in place of the same op on each of its elements along an axis.
///
/// What a step of a written-out loop does to its input or to its result alone, it does to the
/// parts of a tensor: a linear layer, elementwise ops, rows of a table, a normalisation. Where
/// all parts get the same, the op takes the whole tensor, and its result is cut instead. The
/// bits of each part stay.
bool join_ops_on_parts(Graph& graph);

/// Replaces a Concat of all the elements along one axis of a tensor by that tensor in another
/// order.
///
/// Concat(x[0], x[1], ..), where the parts are all of x along an axis and without it, becomes a
/// Transpose that puts this axis in front of the joined one, and a Reshape that merges both.
/// The last states of both directions side by side are thus a view of Ho [N,2,H]. Parts that
/// have an axis of extent 1 where they are joined become the Transpose alone. Stays: parts in
/// another order or of an open extent, and an output with two open extents that aren't in front
/// of the joined axis.
bool join_single_parts(Graph& graph);

/// Leaves out cuts whose parts are joined again as they were, and joins whose parts are cut
/// out.
///
/// A Concat of neighbouring parts of one tensor (axis_part.hpp) reads them as one part, or the
/// tensor itself where they are all of it; a part of a Concat that lies in one of its inputs is
/// taken from that input, or is that input. It joins some of the parts only if the ops that cut
/// them disappear. Stays: parts in another order, and a Split of an open extent, which is a
/// check.
bool merge_parts(Graph& graph);

/// Writes what turns an axis round as a Slice.
///
/// A ReverseSequence of whole rows, or a Gather of all elements from the last one to the first,
/// becomes a Slice with a step of -1: the lengths behind it fall out. Stays: a Gather of a
/// ShapeOf, the form in which make_shape() reads extents in any order.
bool reversals_to_slices(Graph& graph);

/// A range of a tensor that is replaced, as exporters write `x[:, a:b] = y`.
///
/// Makes a Concat of slices of a ScatterNDUpdate whose places are constants and a range along
/// one axis. Bodies are left as they are.
bool scatters_to_parts(Graph& graph);

}  // namespace rondo::passes
