// What is known of the values from which states start, and the zeros from which variables start
// where extents are open.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/control/iterated_op.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/pass/shape_elements.hpp"

namespace rondo::passes {

/// How many of the node's inputs, from the first one on, hold elements that its outputs consist of,
/// only moved or converted; 0 for an op that computes.
inline std::size_t moved_inputs(const Node& node) {
    if (as_op<ops::Convert>(node) != nullptr) return 1;
    const OpTraits traits = node.traits();
    return traits.moves_elements ? std::min(traits.data_inputs, node.input_count()) : 0;
}

/// True where all elements are known to be zero.
bool is_zero(const Output& value);

/// True where the elements of no input and no variable decide the value: it follows from constants
/// and from shapes alone, so that it is the same at the start of each sequence.
bool is_always_the_same(const Output& value);

/// True where the elements are those of inputs, variables and constants, only moved or converted.
bool is_fed(const Output& value);

/// True where an element is that of a variable, only moved or converted.
bool is_kept(const Output& value);

/// The recurrent op for which a last state of `op` is the first one, if there is one.
const ops::RecurrentOp* next_layer(const ops::RecurrentOp& op);

/// What is known of the shape of the state of that port, before and behind the op.
PartialShape shape_of_state(ops::RecurrentOp& op, std::size_t port);

/// The output of a recurrent op that holds the last value of the state of that port.
Output last_state(ops::RecurrentOp& op, std::size_t port);

/// The output of a loop that holds the last value of a result; made where there is none.
Output last_value(ops::IteratedOp& loop, std::size_t result);

/// True where a loop takes or joins parts from the last one to the first.
bool runs_backwards(const ops::IteratedOp& loop);
/// True for a sequence that goes from the last step to the first, or whose X was turned round.
bool runs_backwards(const ops::RecurrentOp& op);

/// Zeros of that type whose extents are numbers, or those of tensors: a Broadcast. The new nodes
/// are called `name` with what they are behind it, such as "h/init".
Output make_zeros(Rewriter& rewriter, const std::string& name, ElementType type,
                  const std::vector<ShapeElement>& extents);

}  // namespace rondo::passes
