// A range of a tensor that is replaced, as exporters write `x[:, a:b] = y`.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Makes a Concat of slices of a ScatterNDUpdate whose places are constants and a range along one
/// axis. Bodies are left as they are.
bool scatters_to_parts(Graph& graph);

}  // namespace rondo::passes
