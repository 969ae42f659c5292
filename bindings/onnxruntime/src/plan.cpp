#include "bindings/onnxruntime/src/plan.hpp"

#include <algorithm>
#include <exception>
#include <numeric>
#include <set>
#include <utility>

#include "bindings/onnxruntime/src/ep_context.hpp"
#include "bindings/onnxruntime/src/part_writer.hpp"
#include "bindings/onnxruntime/src/partition.hpp"
#include "bindings/onnxruntime/src/support.hpp"
#include "rondo/error.hpp"

namespace rondo::ort {
namespace {

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

// The first input of a part that no node of it names, since only bodies use it; or empty.
std::string implicit_input(const HostGraph& graph, const NodeList& nodes,
                           const std::vector<std::string>& inputs) {
    std::set<std::string> named;
    for (const auto place : nodes) {
        const auto& names = graph.nodes[place].inputs;
        named.insert(names.begin(), names.end());
    }
    const auto at = std::find_if(inputs.begin(), inputs.end(),
                                 [&](const std::string& name) { return named.count(name) == 0; });
    return at == inputs.end() ? "" : *at;
}

bool has_cell(const Model& model) {
    static const std::set<std::string> types{"GRUCell", "LSTMCell", "RNNCell"};
    const auto nodes = model.nodes();
    return std::any_of(nodes.begin(), nodes.end(),
                       [](const NodeInfo& node) { return types.count(node.type) != 0; });
}

// Whether a kernel is known to read the node's first input as it is.
bool reads_a_table(const HostNode& node) {
    static const std::set<std::string> ops{"Gather", "GatherElements", "GatherND"};
    return node.domain.empty() && ops.count(node.op) != 0 && !node.inputs.empty();
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + in_quotes(name);
    return text;
}

std::string implicit_input_text(const std::string& name) {
    return "only bodies use value " + in_quotes(name) +
           ", which onnxruntime before 1.27 doesn't give to them";
}

NodeList contexts_of(const Host& host, const HostGraph& graph) {
    NodeList contexts;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (is_context(host, graph.nodes[i])) contexts.push_back(i);
    }
    return contexts;
}

}  // namespace

std::vector<Claim> Planner::plan(const HostGraph& graph) {
    const auto contexts = contexts_of(host_, graph);
    // onnxruntime writes EPContext nodes into the main graph alone.
    if (graph.is_body && options_.context.is_written) {
        if (has_seed(graph) || !contexts.empty()) {
            log_.write(ORT_LOGGING_LEVEL_INFO,
                       "leaves body " + in_quotes(graph.name) +
                           " unless its node is taken: compiled parts are in the main graph alone");
        }
        return {};
    }
    if (!contexts.empty()) return take_contexts(graph, contexts);
    const auto partition = options_.partition;
    std::vector<Claim> claims;
    if (partition == Partition::none || graph.nodes.empty()) return claims;
    if (graph.is_body && !host_.names_graphs_apart()) return claims;
    // onnxruntime replaces other operators with bodies, such as SequenceMap, by their functions.
    static const std::set<std::string> takers{"", "If", "Loop", "Scan"};
    if (takers.count(graph.parent_op) == 0) return claims;
    // The whole is the main graph's, bodies included. In onnxruntime 1.23 a body may look like it,
    // so that one without a layer is left there.
    if (partition == Partition::whole && graph.is_body) return claims;
    const bool needs_seed = partition != Partition::whole || !host_.names_graphs_apart();
    if (needs_seed && !has_seed(graph)) return take_step(graph);
    const auto obstacles = obstacles_of(graph);
    const bool is_supported = std::all_of(obstacles.begin(), obstacles.end(),
                                          [](const std::string& text) { return text.empty(); });
    if (is_supported && partition != Partition::recurrent &&
        take(graph, all_nodes(graph), claims)) {
        return claims;
    }
    log_obstacles(graph, obstacles);
    if (partition == Partition::whole) return claims;
    return take_groups(graph, obstacles);
}

std::vector<Claim> Planner::take_step(const HostGraph& graph) {
    std::vector<Claim> claims;
    const bool is_tried = options_.partition == Partition::automatic && !graph.is_body &&
                          host_.names_graphs_apart() && may_hold_a_step(graph);
    if (is_tried && makes_a_step(graph)) take(graph, all_nodes(graph), claims);
    return claims;
}

bool Planner::makes_a_step(const HostGraph& graph) {
    std::string reason = "no step of a recurrent layer is in it";
    try {
        const auto nodes = all_nodes(graph);
        BorrowedConstants borrowed(kBorrowEverything);
        auto model = read(write_piece(host_, fused_, graph, nodes, borrowed), graph, nodes,
                          ports_of(graph, nodes));
        core_.transform(model);
        if (has_cell(model)) return true;
    } catch (const std::exception& error) {
        reason = error.what();
    }
    log_.write(ORT_LOGGING_LEVEL_INFO, "leaves graph " + in_quotes(graph.name) + ": " + reason);
    return false;
}

std::vector<Claim> Planner::take_contexts(const HostGraph& graph, const NodeList& contexts) {
    std::vector<Claim> claims;
    for (const auto place : contexts) {
        const auto& node = graph.nodes[place];
        try {
            claims.push_back({{node.id}, {}, read_context(host_, core_, options_, graph, node)});
            log_.write(ORT_LOGGING_LEVEL_INFO, "runs the part in " + named(node));
        } catch (const std::exception& error) {
            // No other provider can run it: onnxruntime ends the session.
            log_.write(ORT_LOGGING_LEVEL_ERROR, error.what());
        }
    }
    return claims;
}

std::vector<std::string> Planner::obstacles_of(const HostGraph& graph) {
    try {
        auto obstacles = find_obstacles(host_, core_, fused_, graph);
        if (!host_.gives_implicit_inputs()) add_implicit_inputs(graph, obstacles);
        return obstacles;
    } catch (const std::exception& error) {
        return std::vector<std::string>(graph.nodes.size(), error.what());
    }
}

void Planner::add_implicit_inputs(const HostGraph& graph,
                                  std::vector<std::string>& obstacles) const {
    NodeList able;
    for (std::size_t i = 0; i < obstacles.size(); ++i) {
        if (obstacles[i].empty()) able.push_back(i);
    }
    const auto inputs = ports_of(graph, able).inputs;
    for (const auto place : able) {
        std::vector<std::string> used;
        for (const auto& name : graph.nodes[place].implicit_inputs) {
            if (std::find(inputs.begin(), inputs.end(), name) != inputs.end()) used.push_back(name);
        }
        const auto lacking = implicit_input(graph, able, used);
        if (!lacking.empty()) obstacles[place] = implicit_input_text(lacking);
    }
}

std::vector<Claim> Planner::take_groups(const HostGraph& graph,
                                        const std::vector<std::string>& obstacles) {
    std::vector<Claim> claims;
    for (const auto& group : find_groups(graph, obstacles)) {
        if (take(graph, group, claims) || group.size() == 1) continue;
        // Perhaps it isn't the layers that fail, but what surrounds them.
        for (const auto place : group) {
            if (is_seed(graph.nodes[place])) take(graph, {place}, claims);
        }
    }
    return claims;
}

bool Planner::take(const HostGraph& graph, const NodeList& nodes, std::vector<Claim>& claims) {
    const std::string what = std::to_string(nodes.size()) + " of " +
                             std::to_string(graph.nodes.size()) + " nodes of graph " +
                             in_quotes(graph.name);
    try {
        const auto ports = ports_of(graph, nodes);
        const auto lacking = implicit_input(graph, nodes, ports.inputs);
        if (!lacking.empty() && !host_.gives_implicit_inputs()) {
            throw UnsupportedError(implicit_input_text(lacking));
        }
        claims.push_back(compile(graph, nodes, ports));
        log_.write(ORT_LOGGING_LEVEL_INFO, "runs " + what);
        return true;
    } catch (const std::exception& error) {
        log_.write(ORT_LOGGING_LEVEL_INFO, "leaves " + what + ": " + error.what());
        return false;
    }
}

// The constants of a part of the main graph are needed once, unless it is written; onnxruntime
// keeps them until then, so that they needn't be copied. Those that a kernel reads as they are turn
// out when it is made, unless they are known before, and make it be made again.
Claim Planner::compile(const HostGraph& graph, const NodeList& nodes, const PartPorts& ports) {
    const bool is_final = !graph.is_body && !options_.context.is_written;
    BorrowedConstants borrowed(is_final ? kWorthBorrowing : kBorrowNothing);
    for (const auto place : nodes) {
        const auto& node = graph.nodes[place];
        if (reads_a_table(node)) borrowed.copy(node.inputs.front());
    }
    for (;;) {
        auto claim = compile_with(borrowed, graph, nodes, ports);
        if (!is_final) return claim;
        claim.piece = {};
        claim.part.model.release_source();
        const auto read = borrowed.copy_what_is_read();
        if (read.empty()) return claim;
        log_.write(ORT_LOGGING_LEVEL_INFO,
                   "compiles again with copies of constants that kernels "
                   "read as they are: " +
                       joined(read));
    }
}

Claim Planner::compile_with(BorrowedConstants& borrowed, const HostGraph& graph,
                            const NodeList& nodes, const PartPorts& ports) {
    auto piece = write_piece(host_, fused_, graph, nodes, borrowed);
    const auto compiled =
        core_.compile_model(read(piece, graph, nodes, ports), "CPU", options_.properties);
    return {ids_of(graph, nodes), std::move(piece),
            make_part(compiled, ports.inputs, ports.outputs)};
}

Model Planner::read(const Piece& piece, const HostGraph& graph, const NodeList& nodes,
                    const PartPorts& ports) const {
    const auto message = write_model(piece, graph, nodes, ports, Purpose::compile);
    return core_.read_model(message.data(), message.size(), ExternalData(piece.files),
                            options_.properties);
}

void Planner::log_obstacles(const HostGraph& graph,
                            const std::vector<std::string>& obstacles) const {
    if (!log_.wants(ORT_LOGGING_LEVEL_INFO)) return;
    std::set<std::string> logged;
    for (std::size_t i = 0; i < obstacles.size(); ++i) {
        const auto& node = graph.nodes[i];
        if (obstacles[i].empty() || !logged.insert(node.op + obstacles[i]).second) continue;
        log_.write(ORT_LOGGING_LEVEL_INFO, "leaves node " + in_quotes(node.name) + " (" + node.op +
                                               ") of graph " + in_quotes(graph.name) + ": " +
                                               obstacles[i]);
    }
}

}  // namespace rondo::ort
