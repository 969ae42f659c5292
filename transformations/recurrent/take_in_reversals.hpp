// Lets sequences run backward instead of turning their inputs round.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A sequence of one direction whose X is turned round along the whole time axis, by a
/// ReverseSequence or a Slice, and whose Y, where anything reads it, is turned round again: the
/// sequence runs in the other direction instead.
bool take_in_reversals(Graph& graph);

}  // namespace rondo::passes
