// What a node is for the graph that it is in, besides what it computes.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::passes {

bool is_parameter(const Node& node);
bool is_result(const Node& node);
bool is_constant(const Node& node);
/// The nodes that read and write a variable, of any opset.
bool reads_variable(const Node& node);
bool writes_variable(const Node& node);

inline bool is_parameter(const Output& output) { return is_parameter(output.node()); }
inline bool is_constant(const Output& output) { return is_constant(output.node()); }

}  // namespace rondo::passes
