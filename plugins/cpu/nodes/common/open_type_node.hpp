// Nodes whose element types come with the inputs of an inference.
#pragma once

#include <memory>

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// True where the type of an input or output is open.
bool has_open_type(const Node& node);

/// Makes the node that the op has for known types.
using MakeNode = std::unique_ptr<CpuNode> (*)(const Node& node, const CompileContext& context);

/// Calls `make` in each prepare(), for a copy of the op with the types of the site. The call owns
/// the copy and the node: this is slow if shapes change, but correct for every op.
std::unique_ptr<CpuNode> make_open_type_node(const Node& node, const CompileContext& context,
                                             MakeNode make);

}  // namespace rondo::cpu
