#include "bindings/onnxruntime/src/part_ports.hpp"

#include <set>

namespace rondo::ort {
namespace {

void add_once(std::vector<std::string>& names, std::set<std::string>& known,
              const std::string& name) {
    if (!name.empty() && known.insert(name).second) names.push_back(name);
}

// What the graph gives, and what nodes outside the part read.
std::set<std::string> needed_outside(const HostGraph& graph, const NodeList& part) {
    const std::set<std::size_t> inside(part.begin(), part.end());
    std::set<std::string> needed(graph.outputs.begin(), graph.outputs.end());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (inside.count(i) != 0) continue;
        for_each_use(graph.nodes[i], [&](const std::string& name) { needed.insert(name); });
    }
    return needed;
}

}  // namespace

PartPorts ports_of(const HostGraph& graph, const NodeList& part) {
    PartPorts ports;
    std::set<std::string> made;
    for (const auto place : part) {
        const auto& outputs = graph.nodes[place].outputs;
        made.insert(outputs.begin(), outputs.end());
    }
    std::set<std::string> taken;
    for (const auto place : part) {
        for_each_use(graph.nodes[place], [&](const std::string& name) {
            const bool is_input = made.count(name) == 0 && !graph.values.at(name).is_constant;
            if (is_input) add_once(ports.inputs, taken, name);
        });
    }
    const auto needed = needed_outside(graph, part);
    std::set<std::string> given;
    for (const auto place : part) {
        for (const auto& name : graph.nodes[place].outputs) {
            if (needed.count(name) != 0) add_once(ports.outputs, given, name);
        }
    }
    return ports;
}

std::vector<std::string> constants_of(const HostGraph& graph, const NodeList& part) {
    std::vector<std::string> constants;
    std::set<std::string> taken;
    for (const auto place : part) {
        for_each_use(graph.nodes[place], [&](const std::string& name) {
            if (graph.values.at(name).is_constant) add_once(constants, taken, name);
        });
    }
    return constants;
}

}  // namespace rondo::ort
