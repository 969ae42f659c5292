// Gives a graph a batch axis that it doesn't have.
#pragma once

#include "core/graph/graph.hpp"
#include "rondo/shape.hpp"

namespace rondo::passes {

/// Puts a new axis 0 of extent `batch`, which may be open, in front of the shapes of all inputs,
/// variables and outputs. Row n of each output is, bit for bit, what the graph gives for row n of
/// the inputs and variables. Inputs without axes, as a sampling rate, stay as they are, and all
/// rows share them, unless no input has an axis. Values that are the same for all rows are
/// computed once. Throws UnsupportedError that names the op which can't be followed, and then
/// changes nothing; ModelError for a batch of no rows.
void add_batch_axis(Graph& graph, const Dimension& batch);

}  // namespace rondo::passes
