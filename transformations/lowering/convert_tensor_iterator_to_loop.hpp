// Gives OpenVINO a Loop where it can't run a TensorIterator.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A TensorIterator becomes a Loop that runs once for each part where its body has a
/// TensorIterator, which OpenVINO refuses, or where what is read of its outputs needs none of the
/// parts: OpenVINO drops such an input, and then runs the body once. Parts that a Loop reads or joins from the
/// last to the first are reversed by a Slice, since OpenVINO's Loop does neither. Pre-condition:
/// parts of one element that cover the axis; others stay.
bool convert_tensor_iterator_to_loop(Graph& graph);

}  // namespace rondo::passes
