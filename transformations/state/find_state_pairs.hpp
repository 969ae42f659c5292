// Finds the inputs and outputs by which a model's states are fed back.
#pragma once

#include "core/graph/graph.hpp"
#include "rondo/model.hpp"

namespace rondo::passes {

/// An input and an output of the same type and of shapes that allow each other are a pair where the
/// input's elements start what the output's elements end (uses_of_input(), WrittenCell), or
/// where their names have one stem and sound like a state's. Uses count more than names, and names
/// that uses contradict don't count. Each pair is the only one that fits; for the others that look
/// like states the reason is given. Equal shapes alone make no pair.
StateSearch find_state_pairs(const Graph& graph);

}  // namespace rondo::passes
