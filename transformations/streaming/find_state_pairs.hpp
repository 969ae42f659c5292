// Finds the inputs and outputs by which a model's states are fed back.
#pragma once

#include <string>

#include "core/graph/graph.hpp"
#include "rondo/model.hpp"

namespace rondo::passes {

/// An input and an output of the same type and of shapes that allow each other are a pair where the
/// input's elements start what the output's elements end (uses_of_input(), MatchedCell), or
/// where their names have one stem and sound like a state's. Uses count more than names, and names
/// that uses contradict don't count. Each pair is the only one that fits; for the others that look
/// like states the reason is given. Equal shapes alone make no pair.
StateSearch find_state_pairs(const Graph& graph);

// What the names of inputs and outputs say about states.

/// A name without what marks it as that of an input or output, or of an old or new value: "h" for
/// "h0", "hn", "h_out", "prev_h" and "H.1"; empty for "input_3", which is nothing else. Two ports
/// of the same state have the same stem.
std::string stem_of(const std::string& name);

/// Whether a word of the name is one for states, such as "state", "h", "c1", "cache" or "prev".
bool sounds_like_state(const std::string& name);

}  // namespace rondo::passes
