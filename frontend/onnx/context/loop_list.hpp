// Lists that loops fill: which form each one has while the loop's body is read.
#pragma once

#include "frontend/onnx/context/body_graph.hpp"

namespace rondo::onnx {

/// Notes a tensor that the body adds to the list.
void note_added(LoopList& list, ElementType type, const PartialShape& shape);

/// Leaves the reader of a body that does more with a list than its form allows. It is no Error: the
/// reader of the loop that owns the list reads the body again.
struct ListIsRead {
    LoopListPtr list;
    /// Whether the last tensor is enough.
    bool is_last_enough = false;
};

/// Gives the list its next form among the inputs of the body; false where it is none of them.
/// Throws UnsupportedError where there is no further form.
bool give_next_form(const ListIsRead& read, BodyRequest& request);

/// Makes the list of that input one tensor: its tensors as rows, or joined along its axis. Throws
/// UnsupportedError where their type or rank isn't known.
void make_rows(BodyValue& value);
void make_joined(BodyValue& value);

}  // namespace rondo::onnx
