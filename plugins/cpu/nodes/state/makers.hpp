// The nodes of the state room: the makers that the list of nodes names.
#pragma once

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

std::unique_ptr<CpuNode> make_read_value_node(const Node& node, const CompileContext& context);

}  // namespace rondo::cpu
