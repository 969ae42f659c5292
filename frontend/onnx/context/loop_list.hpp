// Lists that loops fill: which form each one has while the loop's body is read.
#pragma once

#include "frontend/onnx/context/body_graph.hpp"

namespace rondo::onnx {

/// Notes a tensor that the body adds to the list.
void note_added(LoopList& list, ElementType type, const PartialShape& shape);

/// Gives the list its next form among the inputs of the body; false where it is none of them.
/// Throws UnsupportedError where there is no further form.
bool give_next_form(const ListIsRead& read, BodyRequest& request);

/// Whether the tensors may have different extents along the axis of the list's readers.
bool is_ragged(const LoopList& list);

/// Makes the list of that input one tensor: its tensors as rows, or joined along its axis. Throws
/// UnsupportedError where their type or rank isn't known.
void make_rows(BodyValue& value);
void make_joined(BodyValue& value);

}  // namespace rondo::onnx
