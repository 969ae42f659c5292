// Gives variables of recurrent layers their first value.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A ReadValue without an init input whose only open extent is the batch of a recurrent layer's
/// state gets zeros with as many rows as that layer's X: without them it would start with no row,
/// which no X fits. OpenVINO's MakeStateful leaves such variables. Others stay.
bool start_states_with_rows(Graph& graph);

}  // namespace rondo::passes
