// Finds values that go round a loop without a change.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Exporters hand weights from iteration to iteration as if they were states. A value that the body
/// passes on as it is becomes one that the body gets whole each time, and the op's output of it is
/// the op's input. sink_constants can then move it into the body.
bool stop_carrying(Graph& graph);

}  // namespace rondo::passes
