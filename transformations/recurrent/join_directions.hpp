// Joins two sequences of opposite directions on one input into one of both.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A forward and a reverse sequence of one kind that read the same X and lengths, with constant
/// weights: one bidirectional sequence, which runs both at once. What puts their outputs side by
/// side becomes a view or a transpose.
bool join_directions(Graph& graph);

}  // namespace rondo::passes
