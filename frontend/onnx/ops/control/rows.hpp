// Pieces of graph for sequences whose tensors are rows of one tensor, or are joined.
#pragma once

#include <string>
#include <vector>

#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

/// In all of these `role` names the new op, as NodeContext::make() says.

/// The tensor as one row: [1, ...].
Output make_row(NodeContext& context, const std::string& role, const Output& tensor);

/// Sequences of known length or rows as rows, [n, ...].
Output rows_of_list(NodeContext& context, const Output& sequence);

/// A tensor as the parameter's, without an element along the axis, and of 0 where an extent is
/// open.
Output make_empty(NodeContext& context, const std::string& role, const Output& like,
                  std::int64_t axis);

/// The parts joined along an axis. One that has no element along it may have other extents than the
/// others: a list that was empty doesn't know the extents of the tensors that come.
Output join_parts(NodeContext& context, const std::string& role, const std::vector<Output>& parts,
                  std::int64_t axis);

/// A part at one end of `whole`, which alone may be such an empty one.
Output add_part(NodeContext& context, const Output& whole, const Output& part, std::int64_t axis,
                bool in_front);

/// Rows [n, d0, ..., dk] joined along an axis of their own, or along a new one.
Output join_rows(NodeContext& context, const Output& rows, std::int64_t axis, bool is_new);

/// The tensor, whose rank isn't known, with a known one; a run where it has another is an error.
Output with_rank(NodeContext& context, const std::string& role, const Output& tensor,
                 std::size_t rank);

}  // namespace rondo::onnx
