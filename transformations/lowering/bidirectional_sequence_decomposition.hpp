// Takes sequences of both directions apart.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A bidirectional sequence that needs_lowering() becomes a forward and a reverse one, each with
/// its own activation functions, whose outputs are joined. Those that OpenVINO runs stay.
bool bidirectional_sequence_decomposition(Graph& graph);

}  // namespace rondo::passes
