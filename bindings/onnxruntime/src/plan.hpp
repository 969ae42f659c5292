// What the plugin takes of a graph, decided and compiled at once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bindings/onnxruntime/src/borrowed_constants.hpp"
#include "bindings/onnxruntime/src/compiled_part.hpp"
#include "bindings/onnxruntime/src/host_graph.hpp"
#include "bindings/onnxruntime/src/options.hpp"
#include "bindings/onnxruntime/src/part_ports.hpp"
#include "bindings/onnxruntime/src/piece.hpp"
#include "rondo/core.hpp"

namespace rondo::ort {

/// Nodes that become one, and what runs them.
struct Claim {
    std::vector<std::size_t> ids;  ///< of the nodes in their graph, sorted
    Piece piece;  ///< for a node around the body that it is of; empty in the main graph
    CompiledPart part;
};

class Planner {
public:
    /// Keeps references to all of them.
    Planner(const Host& host, const Core& core, const Options& options, const Log& log,
            FusedPieces& fused)
        : host_(host), core_(core), options_(options), log_(log), fused_(fused) {}

    /// Compiles whatever is claimed. What Rondo can't run, or fails to compile, isn't claimed, and
    /// the log says why. A graph with EPContext nodes that Rondo has written is of such parts: it
    /// claims these alone, whatever the options say.
    std::vector<Claim> plan(const HostGraph& graph);

private:
    std::vector<Claim> take_contexts(const HostGraph& graph, const NodeList& contexts);
    std::vector<std::string> obstacles_of(const HostGraph& graph);
    void add_implicit_inputs(const HostGraph& graph, std::vector<std::string>& obstacles) const;
    std::vector<Claim> take_groups(const HostGraph& graph,
                                   const std::vector<std::string>& obstacles);
    /// A whole graph whose layers are written out for one step.
    std::vector<Claim> take_step(const HostGraph& graph);
    bool makes_a_step(const HostGraph& graph);
    bool take(const HostGraph& graph, const NodeList& nodes, std::vector<Claim>& claims);
    Claim compile(const HostGraph& graph, const NodeList& nodes, const PartPorts& ports);
    Claim compile_with(BorrowedConstants& borrowed, const HostGraph& graph, const NodeList& nodes,
                       const PartPorts& ports);
    Model read(const Piece& piece, const HostGraph& graph, const NodeList& nodes,
               const PartPorts& ports) const;
    void log_obstacles(const HostGraph& graph, const std::vector<std::string>& obstacles) const;

    const Host& host_;
    const Core& core_;
    const Options& options_;
    const Log& log_;
    FusedPieces& fused_;
};

}  // namespace rondo::ort
