// Refuses models that OpenVINO couldn't read.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Throws UnsupportedError that names all nodes, also those in bodies, whose op, attribute or type
/// OpenVINO lacks: ops of `rondo1`, Converts that round in another way, types of its own, and axes
/// and the like that its CPU device wants as constants (port_forms()) and that come with the run.
void refuse_own_ops(const Graph& graph);

}  // namespace rondo::passes
