// Moves constants into the bodies that read them.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A constant that a body gets whole and in each iteration becomes a constant of the body, with the
/// same memory; the parameter goes, and the op's input too where nothing else reads it. Passes then
/// fold it there, and kernels pack it once.
bool sink_constants(Graph& graph);

}  // namespace rondo::passes
