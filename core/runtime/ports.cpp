#include "core/runtime/ports.hpp"

#include <algorithm>
#include <utility>

#include "core/graph/rt_info_keys.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"

namespace rondo {
namespace {

// So many names are compared before one is hashed, which takes longer.
constexpr std::size_t kMaxCompared = 8;

}  // namespace

PortInfo port_of(const std::set<std::string>& names, const Node& named, ElementType type,
                 const PartialShape& shape) {
    PortInfo port;
    port.names.assign(names.begin(), names.end());
    if (port.names.empty()) port.names.push_back(named.name());
    port.element_type = type;
    port.shape = shape;
    return port;
}

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

std::vector<std::string> constant_inputs(const Graph& graph) {
    const auto& facts = graph.rt_info();
    const auto at = facts.find(kConstantInputs);
    return at == facts.end() ? std::vector<std::string>() : split(at->second, '\n');
}

PortNames::PortNames(std::initializer_list<std::span<const PortInfo>> lists,
                     std::vector<std::string> constants)
    : constants_(std::move(constants)) {
    std::size_t place = 0;
    for (const auto& ports : lists) {
        for (const PortInfo& port : ports) {
            for (const auto& name : port.names) {
                by_name_.try_emplace(name, place);
                names_.push_back(name);
                places_.push_back(place);
            }
            ++place;
        }
    }
}

std::size_t PortNames::place_of(const std::string& name, std::string_view kind) const {
    const std::size_t compared = std::min(names_.size(), kMaxCompared);
    for (std::size_t i = 0; i < compared; ++i) {
        if (names_[i] == name) return places_[i];
    }
    const auto at = by_name_.find(name);
    if (at != by_name_.end()) return at->second;
    throw ModelError("the model has no " + std::string(kind) + " '" + name + "'; " +
                     known_inputs(name, names_, constants_));
}

std::size_t find_port(const std::vector<PortInfo>& ports, const std::string& name,
                      std::string_view kind, const std::vector<std::string>& constants) {
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const auto& names = ports[i].names;
        if (std::find(names.begin(), names.end(), name) != names.end()) return i;
    }
    return PortNames({ports}, constants).place_of(name, kind);  // throws
}

std::string describe(const PortInfo& port, std::string_view kind) {
    return std::string(kind) + " '" + port.any_name() + "' " +
           std::string(to_string(port.element_type)) + to_string(port.shape);
}

namespace {

bool type_fits(const PortInfo& port, ElementType type) {
    return port.element_type == type || port.element_type == ElementType::dynamic;
}

bool is_one_for_scalar(const PartialShape& port, const Shape& tensor) {
    return port.has_rank() && port.rank() == 0 &&
           std::all_of(tensor.begin(), tensor.end(),
                       [](std::size_t extent) { return extent == 1; });
}

}  // namespace

bool PortInfo::takes(const Shape& tensor_shape) const {
    return is_one_for_scalar(shape, tensor_shape) || shape.contains(tensor_shape);
}

const Shape& input_shape(const PortInfo& port, const Tensor& tensor) {
    static const Shape kScalar;
    const Shape& shape = tensor.shape();
    if (type_fits(port, tensor.element_type()) && is_one_for_scalar(port.shape, shape)) {
        return kScalar;
    }
    check_fits(port, "input", tensor.element_type(), shape);
    return shape;
}

void check_fits(const PortInfo& port, std::string_view kind, ElementType type, const Shape& shape) {
    if (type_fits(port, type) && port.shape.contains(shape)) return;
    throw ModelError(std::string(kind) + " '" + port.any_name() + "': got " +
                     std::string(to_string(type)) + to_string(shape) + "; expected " +
                     std::string(to_string(port.element_type)) + to_string(port.shape));
}

}  // namespace rondo
