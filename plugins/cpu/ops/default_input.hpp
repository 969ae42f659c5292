// Marks inputs of sequences that need no tensor: initial states of zeros, lengths that are all T.
#pragma once

#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"

namespace rondo::cpu {

/// What such a port of an StridedSequence or a SequenceStack reads: a constant without elements, of
/// a shape [0,0] that neither a state nor lengths have.
Tensor default_input(ElementType type);

bool is_default(const Shape& shape);
bool is_default(const Output& input);

/// What the sequence itself sees in such a place: its own type, of any shape. Other inputs stay.
InferInput seen_by_sequence(InferInput given, ElementType type);

}  // namespace rondo::cpu
