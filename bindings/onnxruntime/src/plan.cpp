#include "bindings/onnxruntime/src/plan.hpp"

#include <algorithm>
#include <exception>
#include <numeric>
#include <set>
#include <utility>

#include "bindings/onnxruntime/src/part_writer.hpp"
#include "bindings/onnxruntime/src/partition.hpp"
#include "bindings/onnxruntime/src/support.hpp"

namespace rondo::ort {
namespace {

std::string quoted(const std::string& text) { return "'" + text + "'"; }

std::vector<std::size_t> ids_of(const HostGraph& graph, const NodeList& nodes) {
    std::vector<std::size_t> ids;
    for (const auto place : nodes) ids.push_back(graph.nodes[place].id);
    std::sort(ids.begin(), ids.end());
    return ids;
}

NodeList all_nodes(const HostGraph& graph) {
    NodeList nodes(graph.nodes.size());
    std::iota(nodes.begin(), nodes.end(), std::size_t{0});
    return nodes;
}

}  // namespace

std::vector<Claim> Planner::plan(const HostGraph& graph) {
    const auto partition = options_.partition;
    std::vector<Claim> claims;
    if (partition == Partition::none || graph.nodes.empty()) return claims;
    // The whole is the main graph's, bodies included.
    if (partition == Partition::whole ? graph.is_body : !has_seed(graph)) return claims;
    const auto obstacles = obstacles_of(graph);
    const bool is_supported = std::all_of(obstacles.begin(), obstacles.end(),
                                          [](const std::string& text) { return text.empty(); });
    if (is_supported && partition != Partition::recurrent &&
        take(graph, all_nodes(graph), claims)) {
        return claims;
    }
    tell(graph, obstacles);
    if (partition == Partition::whole) return claims;
    return take_groups(graph, obstacles);
}

std::vector<std::string> Planner::obstacles_of(const HostGraph& graph) {
    try {
        return find_obstacles(host_, core_, fused_, graph);
    } catch (const std::exception& error) {
        return std::vector<std::string>(graph.nodes.size(), error.what());
    }
}

std::vector<Claim> Planner::take_groups(const HostGraph& graph,
                                        const std::vector<std::string>& obstacles) {
    std::vector<Claim> claims;
    for (const auto& group : find_groups(graph, obstacles)) {
        if (take(graph, group, claims) || group.size() == 1) continue;
        // What stands around a layer may be what fails: then each layer alone.
        for (const auto place : group) {
            if (is_seed(graph.nodes[place])) take(graph, {place}, claims);
        }
    }
    return claims;
}

bool Planner::take(const HostGraph& graph, const NodeList& nodes, std::vector<Claim>& claims) {
    const std::string what = std::to_string(nodes.size()) + " of " +
                             std::to_string(graph.nodes.size()) + " nodes of graph " +
                             quoted(graph.name);
    try {
        const auto ports = ports_of(graph, nodes);
        auto piece = write_piece(host_, fused_, graph, nodes, Purpose::compile);
        const auto message = write_model(piece, graph, nodes, ports, Purpose::compile);
        const auto model = core_.read_model(message.data(), message.size(),
                                            ExternalData(piece.files), options_.properties);
        auto part = make_part(core_.compile_model(model, "CPU", options_.properties),
                              ports.inputs, ports.outputs);
        claims.push_back({ids_of(graph, nodes), std::move(piece), std::move(part)});
        log_.write(ORT_LOGGING_LEVEL_INFO, "runs " + what);
        return true;
    } catch (const std::exception& error) {
        log_.write(ORT_LOGGING_LEVEL_INFO, "leaves " + what + ": " + error.what());
        return false;
    }
}

void Planner::tell(const HostGraph& graph, const std::vector<std::string>& obstacles) const {
    if (!log_.wants(ORT_LOGGING_LEVEL_INFO)) return;
    std::set<std::string> told;
    for (std::size_t i = 0; i < obstacles.size(); ++i) {
        const auto& node = graph.nodes[i];
        if (obstacles[i].empty() || !told.insert(node.op + obstacles[i]).second) continue;
        log_.write(ORT_LOGGING_LEVEL_INFO, "leaves node " + quoted(node.name) + " (" + node.op +
                                               ") of graph " + quoted(graph.name) + ": " +
                                               obstacles[i]);
    }
}

}  // namespace rondo::ort
