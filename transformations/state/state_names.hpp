// What the names of inputs and outputs say about states.
#pragma once

#include <string>

namespace rondo::passes {

/// A name without what marks it as that of an input or output, or of an old or new value: "h" for
/// "h0", "hn", "h_out", "prev_h" and "H.1"; empty for "input_3", which is nothing else. Two ports
/// of the same state have the same stem.
std::string stem_of(const std::string& name);

/// Whether a word of the name is one for states, such as "state", "h", "c1", "cache" or "prev".
bool sounds_like_state(const std::string& name);

}  // namespace rondo::passes
