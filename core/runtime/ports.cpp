#include "core/runtime/ports.hpp"

#include <algorithm>

#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

PortInfo port_of(const std::set<std::string>& names, const Node& named, ElementType type,
                 const PartialShape& shape) {
    PortInfo port;
    port.names.assign(names.begin(), names.end());
    if (port.names.empty()) port.names.push_back(named.name());
    port.element_type = type;
    port.shape = shape;
    return port;
}

}  // namespace

std::vector<PortInfo> input_ports(const Graph& graph) {
    std::vector<PortInfo> ports;
    for (const auto& node : graph.parameters()) {
        ports.push_back(
            port_of(node->output(0).names(), *node, node->output_type(0), node->output_shape(0)));
    }
    return ports;
}

std::vector<PortInfo> output_ports(const Graph& graph) {
    std::vector<PortInfo> ports;
    for (const auto& node : graph.results()) {
        // A result's own names come first: its producer may serve several results.
        const Output& source = node->input(0);
        const auto& own = node->output(0).names();
        ports.push_back(port_of(own.empty() ? source.names() : own, source.node(),
                                node->output_type(0), node->output_shape(0)));
    }
    return ports;
}

std::size_t find_port(const std::vector<PortInfo>& ports, const std::string& name,
                      std::string_view kind) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const auto& names = ports[i].names;
        if (std::find(names.begin(), names.end(), name) != names.end()) return i;
        known.insert(known.end(), names.begin(), names.end());
    }
    throw ModelError("the model has no " + std::string(kind) + " '" + name +
                     "'; there are: " + quoted_list(known));
}

std::size_t find_input_or_output(const std::vector<PortInfo>& inputs,
                                 const std::vector<PortInfo>& outputs, const std::string& name) {
    std::size_t place = 0;
    for (const auto* ports : {&inputs, &outputs}) {
        for (const PortInfo& port : *ports) {
            if (std::find(port.names.begin(), port.names.end(), name) != port.names.end()) {
                return place;
            }
            ++place;
        }
    }
    auto all = inputs;
    all.insert(all.end(), outputs.begin(), outputs.end());
    return find_port(all, name, "input or output");
}

std::string describe(const PortInfo& port, std::string_view kind) {
    return std::string(kind) + " '" + port.any_name() + "' " +
           std::string(to_string(port.element_type)) + to_string(port.shape);
}

void check_fits(const PortInfo& port, std::string_view kind, ElementType type, const Shape& shape) {
    const bool type_fits = port.element_type == type || port.element_type == ElementType::dynamic;
    if (type_fits && port.shape.contains(shape)) return;
    throw ModelError(std::string(kind) + " '" + port.any_name() + "': got " +
                     std::string(to_string(type)) + to_string(shape) + "; expected " +
                     std::string(to_string(port.element_type)) + to_string(port.shape));
}

}  // namespace rondo
