// Which nodes of a graph are taken together: recurrent layers, and what surrounds them.
#pragma once

#include <string>
#include <vector>

#include "bindings/onnxruntime/src/host_graph.hpp"
#include "bindings/onnxruntime/src/part_ports.hpp"

namespace rondo::ort {

/// Whether the node is a recurrent layer or was made of one, or a loop or a branch that holds one
/// or has such steps.
bool is_seed(const HostNode& node);

/// Whether a graph has products and gates: what exporters write for a cell of a layer.
bool may_hold_a_step(const HostGraph& graph);

/// Whether a graph holds a seed.
bool has_seed(const HostGraph& graph);

/// Groups of nodes around seeds. No path between two nodes of a group leaves it, and no two groups
/// need each other. `obstacles`: of each node why it can't be in a group; empty if it can.
std::vector<NodeList> find_groups(const HostGraph& graph,
                                  const std::vector<std::string>& obstacles);

}  // namespace rondo::ort
