// Where a part of a graph begins and ends.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bindings/onnxruntime/src/host_graph.hpp"

namespace rondo::ort {

/// Nodes of a graph by their places in HostGraph::nodes, in order.
using NodeList = std::vector<std::size_t>;

/// The values that a part of a graph takes and gives, each once.
struct PartPorts {
    std::vector<std::string> inputs;   ///< neither made in the part nor constant
    std::vector<std::string> outputs;  ///< needed outside
};

PartPorts ports_of(const HostGraph& graph, const NodeList& part);

/// The initializers that a part uses, of its graph or of one further out, each once.
std::vector<std::string> constants_of(const HostGraph& graph, const NodeList& part);

/// Calls `visit` with the name of each value that the node or a body of it reads.
template <typename Visit>
void for_each_use(const HostNode& node, const Visit& visit) {
    for (const auto* names : {&node.inputs, &node.implicit_inputs}) {
        for (const auto& name : *names) {
            if (!name.empty()) visit(name);
        }
    }
}

}  // namespace rondo::ort
