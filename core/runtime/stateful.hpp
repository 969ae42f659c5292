// Makes models stateful. Declared here, defined in transformations/state/stateful.cpp, so that the
// core needs no upward include.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "rondo/model.hpp"

namespace rondo {

/// What Model::find_states() finds.
StateSearch find_states(const Graph& graph);

/// What Model's functions of these names do; after an error the graph is as it was.
void make_stateful(Graph& graph, const std::vector<std::pair<std::string, std::string>>& pairs);
void make_stateful(Graph& graph);
void apply_low_latency(Graph& graph, bool use_const_initializer);

}  // namespace rondo
