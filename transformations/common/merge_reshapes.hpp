// Replaces chains of Reshape, Squeeze and Unsqueeze by one Reshape, or removes them.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// One Reshape can hold one open extent; chains with more of them stay, unless an Unsqueeze and
/// a Squeeze cancel out. A view that might refuse its input at run time is never removed.
bool merge_reshapes(Graph& graph);

}  // namespace rondo::passes
