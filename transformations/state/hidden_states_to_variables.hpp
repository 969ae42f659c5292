// Keeps the states of layers that start from zeros inside a model.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A forward recurrent op, or a value that goes round in a TensorIterator, whose first state is the
/// same for each sequence (zeros, or learned numbers) goes on where the inference before ended: the
/// state comes from a variable, called as low_latency() calls it. A sequence given in chunks of
/// steps then gives the layer's outputs of the whole. Unchanged: states that are fed by inputs and
/// variables; and where one layer has an open number of steps, layers whose number is known, since
/// they walk over something else than time. Throws UnsupportedError, before anything is changed,
/// naming a layer that runs backwards, starts from computed values, starts another layer with its
/// last state, stands in a body, or is a loop of unknown purpose.
bool hidden_states_to_variables(Graph& graph);

}  // namespace rondo::passes
