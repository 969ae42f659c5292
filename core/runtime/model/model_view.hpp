// What tools may see of a graph's inside.
#pragma once

#include <optional>
#include <vector>

#include "core/graph/graph.hpp"
#include "rondo/model.hpp"

namespace rondo {

/// Every node in the graph's order, with those of its bodies.
std::vector<NodeInfo> node_infos(const Graph& graph);

/// The values that a port may carry, as far as its readers say it: see Model::value_range().
std::optional<ValueRange> range_of_values(const Output& port);

}  // namespace rondo
