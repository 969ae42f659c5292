// What users see of a graph's parameters and results, and how they are found by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"
#include "rondo/model.hpp"

namespace rondo {

std::vector<PortInfo> input_ports(const Graph& graph);
std::vector<PortInfo> output_ports(const Graph& graph);

/// The port that has this name; `kind` is "input" or "output". Throws ModelError listing the names
/// there are.
std::size_t find_port(const std::vector<PortInfo>& ports, const std::string& name,
                      std::string_view kind);

/// The place of the port that has this name, inputs counted first, then outputs. Throws ModelError
/// listing the names of both.
std::size_t find_input_or_output(const std::vector<PortInfo>& inputs,
                                 const std::vector<PortInfo>& outputs, const std::string& name);

/// "input 'x' f32[1,?,3]", the way errors name a port.
std::string describe(const PortInfo& port, std::string_view kind);

/// Throws ModelError unless a tensor of this type and shape fits the port.
void check_fits(const PortInfo& port, std::string_view kind, ElementType type, const Shape& shape);

}  // namespace rondo
