// Leaves out cuts whose parts are joined again as they were, and joins whose parts are cut out.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A Concat of neighbouring parts of one tensor (axis_part.hpp) reads them as one part, or the
/// tensor itself where they are all of it; a part of a Concat that lies in one of its inputs is
/// taken from that input, or is that input. It joins some of the parts only if the ops that cut
/// them disappear. Stays: parts in another order, and a Split of an open extent, which is a check.
bool merge_parts(Graph& graph);

}  // namespace rondo::passes
