// Takes outputs apart that hold several states one after the other.
#pragma once

#include <string>

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// The name of a part of an output: "state[2]".
std::string part_name(const std::string& output, std::size_t part);
/// The output that this is the name of a part of; empty where it has no such form.
std::string whole_name(const std::string& part);

/// Makes an output of each input of the Concat that an output is; its names are those of
/// part_name() for each name of the output. False where the output isn't a Concat.
bool part_output(Graph& graph, std::size_t output);
/// The same for every output. True if one was taken apart.
bool part_outputs(Graph& graph);

}  // namespace rondo::passes
