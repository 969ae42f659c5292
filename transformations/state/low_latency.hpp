// Keeps the states of layers and loops from one inference to the next: OpenVINO's LowLatency2.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Initial states of recurrent ops, and values that go round in a TensorIterator or in a Loop that
/// runs once, come from variables: `<op>/variable_0` (H) and `<op>/variable_1` (C), or
/// `<loop>/<parameter of its body>/variable_<its input>`. They start as zeros; where
/// `use_const_initializer` is false, as the op did before. Loops that run once are unrolled.
/// Unchanged: bodies, states that come from a variable, and cells one behind the other. Throws
/// UnsupportedError, before anything is changed, naming a layer or loop that runs backwards.
bool low_latency(Graph& graph, bool use_const_initializer);

}  // namespace rondo::passes
