// Which nodes of a graph Rondo could run, and why not the others.
#pragma once

#include <string>
#include <vector>

#include "bindings/onnxruntime/src/host_graph.hpp"
#include "bindings/onnxruntime/src/piece.hpp"
#include "rondo/core.hpp"

namespace rondo::ort {

/// For each node of a graph: why Rondo can't run it, bodies included; empty if it can.
std::vector<std::string> find_obstacles(const Host& host, const Core& core, FusedPieces& fused,
                                        const HostGraph& graph);

}  // namespace rondo::ort
