// Makes states of a model, which its user feeds back by hand, variables of the model.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Each pair, the name of an input and that of an output, becomes a variable: a ReadValue stands
/// where the Parameter was, an Assign where the Result was. Its id is both names joined, as
/// OpenVINO's MakeStateful has it, with a number behind it where that is taken. It starts as zeros;
/// where extents are open, an init input computes them (starting_extent()). Extents that the output
/// alone knows become the variable's, unless data is appended there. True where there is a pair.
/// Throws ModelError, before anything is changed, for a name that isn't there or stands in two
/// pairs, an input that no node reads, types or shapes that don't fit each other, and an open
/// extent that nothing in the model settles.
bool make_stateful(Graph& graph, const std::vector<std::pair<std::string, std::string>>& pairs);

}  // namespace rondo::passes
