// Frees an axis of extent 1 from ops that name it without need.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Changes that keep every bit as long as axes of extent 1 have it: a reduction of a whole tensor
/// to a scalar, which only meets tensors of the same rank, keeps its axes and leaves out those of
/// extent 1; scatters_to_parts(). Other nodes stay.
bool free_rows(Graph& graph);

}  // namespace rondo::passes
