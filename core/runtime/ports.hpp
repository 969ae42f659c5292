// What users see of a graph's parameters and results, and how they are found by name.
#pragma once

#include <initializer_list>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/graph/graph.hpp"
#include "rondo/model.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

/// The port with these tensor names, or else with the name of its node.
PortInfo port_of(const std::set<std::string>& names, const Node& named, ElementType type,
                 const PartialShape& shape);
std::vector<PortInfo> input_ports(const Graph& graph);
std::vector<PortInfo> output_ports(const Graph& graph);
/// The names of inputs that reading made constants, for errors that name one of them.
std::vector<std::string> constant_inputs(const Graph& graph);

/// The port that has this name; `kind` is "input" or "output". Throws ModelError listing the names
/// there are, or saying that it is one of `constants`.
std::size_t find_port(const std::vector<PortInfo>& ports, const std::string& name,
                      std::string_view kind, const std::vector<std::string>& constants = {});

/// Finds ports by their names in constant time: for models of many ports, and calls for each one.
class PortNames {
public:
    /// Numbers the ports of all lists one after the other. If two have a name, the first has it.
    explicit PortNames(std::initializer_list<std::span<const PortInfo>> lists,
                       std::vector<std::string> constants = {});

    /// Throws ModelError listing the names there are, or saying that it is one of the constants;
    /// `kind` is "input" or the like.
    std::size_t place_of(const std::string& name, std::string_view kind) const;

private:
    std::unordered_map<std::string, std::size_t> by_name_;
    std::vector<std::string> names_;   ///< in order
    std::vector<std::size_t> places_;  ///< of names_
    std::vector<std::string> constants_;
};

/// "input 'x' f32[1,?,3]", the way errors name a port.
std::string describe(const PortInfo& port, std::string_view kind);

/// The shape in which the input gets the tensor: its own, or that of a scalar (PortInfo::takes()).
/// Throws ModelError unless type and shape fit.
const Shape& input_shape(const PortInfo& port, const Tensor& tensor);

/// Throws ModelError unless a tensor of this type and shape fits the port.
void check_fits(const PortInfo& port, std::string_view kind, ElementType type, const Shape& shape);

}  // namespace rondo
