// Chains of Reshape, Squeeze and Unsqueeze become one Reshape, or nothing.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// One Reshape can hold one open extent; chains with more of them are left, unless an Unsqueeze and
/// a Squeeze undo each other. A view that might refuse its input at run time is never merged away.
bool merge_reshapes(Graph& graph);

}  // namespace rondo::passes
