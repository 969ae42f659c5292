// Merges Converts in a row, leaves out those that only widen and narrow back, and moves the others
// up through views.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A Convert to a type that holds every number of its input's type loses nothing (f16 to f32, i32
/// to i64, u8 to f32, boolean to any): the Convert after it reads that input instead, and
/// disappears if that has its type, also if a Slice, Gather or Transpose lies between the two. A
/// Convert of floats that alone reads a view moves in front of the view, where it meets others.
/// Stays: what rounds or cuts, such as f32 to f16 to f32 (onnxruntime and OpenVINO round there
/// too), and the Converts that widen the weights of a file.
bool merge_converts(Graph& graph);

}  // namespace rondo::passes
