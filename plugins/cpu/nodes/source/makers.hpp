// The nodes of the source room: the makers that the list of nodes names.
#pragma once

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

std::unique_ptr<CpuNode> make_random_uniform_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_range_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_shape_of_node(const Node& node, const CompileContext& context);

}  // namespace rondo::cpu
