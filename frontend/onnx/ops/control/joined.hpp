// Pieces of graph for sequences whose tensors are joined in one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

/// In all of these `role` names the new op, as NodeContext::make() says.

/// The parts joined along an axis. One that has no element along it may have other extents than the
/// others: a list that was empty doesn't know the extents of the tensors that come.
Output join_parts(NodeContext& context, const std::vector<Output>& parts, std::int64_t axis);

/// Tensors, or those of a list or of a joined sequence, as the whole of that form. Throws
/// UnsupportedError if a joined sequence can't have it.
Output joined(NodeContext& context, std::span<const Output> tensors, const SequenceForm& form);
Output joined(NodeContext& context, const Sequence& sequence, const SequenceForm& form);

/// What an operator reads of a joined sequence: all of it in its own form, or as a stack [n, ...].
/// Throws UnsupportedError if the tensors are no stack.
Output joined(NodeContext& context, const Sequence& sequence);
Output stacked(NodeContext& context, const Sequence& sequence);

/// The extent along the axis of such a whole of these tensors; nothing if it isn't known.
std::optional<std::int64_t> joined_extent(std::span<const Output> tensors,
                                          const SequenceForm& form);

/// A tensor as the parameter's, without an element along the axis, and of 0 if an extent is
/// open.
Output make_empty(NodeContext& context, const Output& like, std::int64_t axis);

/// Rows [n, d0, ..., dk] joined along an axis of their own, or along a new one.
Output join_rows(NodeContext& context, const Output& rows, std::int64_t axis, bool is_new);

/// The tensor, whose rank isn't known, with a known one; a run if it has another is an error.
Output with_rank(NodeContext& context, const Output& tensor, std::size_t rank);

}  // namespace rondo::onnx
