// Declares the passes of this folder. Each returns whether it has changed the graph.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Keeps the states of layers that start from zeros inside a model.
///
/// A forward recurrent op, or a loop-carried value of a TensorIterator, whose first state is
/// the same for each sequence (zeros, or learned numbers) goes on where the inference before
/// ended: the state comes from a variable, called as low_latency() calls it. A sequence given
/// in chunks of steps then gives the layer's outputs of the whole. Unchanged: states that are
/// fed by inputs and variables; and if one layer has an open number of steps, layers whose
/// number is known, since they walk over something else than time. Throws UnsupportedError,
/// before anything is changed, naming a layer that runs backwards, starts from computed values,
/// starts another layer with its last state, lies in a body, or is a loop of unknown purpose.
bool hidden_states_to_variables(Graph& graph);

/// Keeps the states of layers and loops from one inference to the next: OpenVINO's LowLatency2.
///
/// Initial states of recurrent ops, and loop-carried values of a TensorIterator or of a Loop
/// that runs once, come from variables: `<op>/variable_0` (H) and `<op>/variable_1` (C), or
/// `<loop>/<parameter of its body>/variable_<its input>`. They start as zeros or, if
/// `use_const_initializer` is false, as the op did before. Loops that run once are unrolled.
/// Unchanged: bodies, states that come from a variable, and cells that follow each other. Throws
/// UnsupportedError, before anything is changed, naming a layer or loop that runs backwards.
bool low_latency(Graph& graph, bool use_const_initializer);

/// Makes states of a model, which its user feeds back by hand, variables of the model.
///
/// Each pair, the name of an input and that of an output, becomes a variable: a ReadValue
/// replaces the Parameter, and an Assign the Result. Its id is both names joined, as OpenVINO's
/// MakeStateful has it, with a number appended if that is taken. It starts as zeros; if extents
/// are open, an init input computes them (starting_extent()). Extents that the output alone
/// knows become the variable's, unless data is appended there. True if there is a pair. Throws
/// ModelError, before anything is changed, for a name that isn't there or occurs in two pairs,
/// an input that no node reads, types or shapes that don't fit each other, and an open extent
/// that nothing in the model settles.
bool make_stateful(Graph& graph, const std::vector<std::pair<std::string, std::string>>& pairs);

/// Takes outputs apart that hold several states one after the other.
///
/// The name of a part of an output: "state[2]".
std::string part_name(const std::string& output, std::size_t part);
/// The output that this is the name of a part of; empty where it has no such form.
std::string whole_name(const std::string& part);

/// Makes an output of each input of the Concat that an output is; its names are those of
/// part_name() for each name of the output. False where the output isn't a Concat.
bool part_output(Graph& graph, std::size_t output);
/// The same for every output. True if one was taken apart.
bool part_outputs(Graph& graph);

/// Gives variables of recurrent layers their first value.
///
/// A ReadValue without an init input whose only open extent is the batch of a recurrent layer's
/// state gets zeros with as many rows as that layer's X: without them it would start with no
/// row, which no X fits. OpenVINO's MakeStateful leaves such variables. Others stay.
bool start_states_with_rows(Graph& graph);

}  // namespace rondo::passes
