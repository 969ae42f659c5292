// Makes models stateful, each time on a copy: after an error the graph is as it was.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "rondo/model.hpp"

namespace rondo {

/// What Model::find_states() finds.
StateSearch find_states(const Graph& graph);

/// What Model's functions of these names do.
void make_stateful(Graph& graph, const std::vector<std::pair<std::string, std::string>>& pairs);
/// Model::make_stateful() without pairs.
void find_and_make_stateful(Graph& graph);
void apply_low_latency(Graph& graph, bool use_const_initializer);

}  // namespace rondo
