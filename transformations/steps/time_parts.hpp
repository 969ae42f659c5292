// Finds the parts into which a graph cuts a tensor along its time axis, one a step.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/node.hpp"
#include "transformations/recurrent/sequence_maker.hpp"

namespace rondo::passes {

/// An element of an axis, and all of the other axes.
struct TakenElement {
    std::size_t axis = 0;
    std::size_t index = 0;
};

/// What a Gather with one index, or a Split or VariadicSplit into single elements, takes of an axis
/// of known extent; nothing for other values. The axis itself may be gone.
std::optional<TakenElement> taken_element(const Output& value);

/// One step of a tensor.
struct TimePart {
    StepInput input;
    std::size_t step = 0;
};

/// What a Gather, Slice or Split takes, where that is one known element of axis 0 or 1 of a tensor
/// of rank 3. Behind a Slice that turns time round, it is an element of the tensor in front of it.
std::optional<TimePart> time_part(const Output& value);

/// Tensors of which all steps are taken, two or more of them; in the graph's order.
std::vector<StepInput> tensors_in_parts(const Graph& graph);

}  // namespace rondo::passes
