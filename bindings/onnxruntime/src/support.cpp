#include "bindings/onnxruntime/src/support.hpp"

#include <set>

#include "bindings/onnxruntime/src/part_ports.hpp"
#include "bindings/onnxruntime/src/part_writer.hpp"
#include "rondo/error.hpp"

namespace rondo::ort {
namespace {

// A value that is no tensor can only come from a node of the part that is looked at.
std::string foreign_value(const HostGraph& graph, const HostNode& node,
                          const std::set<std::string>& made) {
    const auto is_foreign = [&](const std::string& name) {
        return !name.empty() && !graph.values.at(name).type.is_tensor && made.count(name) == 0;
    };
    for (const auto* names : {&node.inputs, &node.implicit_inputs}) {
        for (const auto& name : *names) {
            if (is_foreign(name)) return name;
        }
    }
    return "";
}

}  // namespace

std::vector<std::string> find_obstacles(const Host& host, const Core& core, FusedPieces& fused,
                                        const HostGraph& graph) {
    std::vector<std::string> obstacles(graph.nodes.size());
    NodeList part;
    std::set<std::string> made;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto& node = graph.nodes[i];
        obstacles[i] = obstacle(host, fused, graph, node);
        if (!obstacles[i].empty()) continue;
        const auto foreign = foreign_value(graph, node, made);
        if (!foreign.empty()) {
            obstacles[i] = "value '" + foreign + "' is no tensor";
            continue;
        }
        part.push_back(i);
        made.insert(node.outputs.begin(), node.outputs.end());
    }
    if (part.empty()) return obstacles;
    BorrowedConstants borrowed(kBorrowEverything);
    const auto piece = write_piece(host, fused, graph, part, borrowed);
    const auto message = write_model(piece, graph, part, ports_of(graph, part), Purpose::query);
    const auto rows = core.query_model(message.data(), message.size(), ExternalData(piece.files));
    if (rows.size() != part.size()) throw InternalError("a row of a node is missing");
    for (std::size_t i = 0; i < part.size(); ++i) {
        if (!rows[i].supported) obstacles[part[i]] = rows[i].reason;
    }
    return obstacles;
}

}  // namespace rondo::ort
