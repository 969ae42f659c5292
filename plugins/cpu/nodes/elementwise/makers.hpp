// The nodes of the elementwise room: the makers that the list of nodes names.
#pragma once

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

// keep-sorted
std::unique_ptr<CpuNode> make_convert_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_elementwise_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_fused_elementwise_node(const Node& node,
                                                     const CompileContext& context);
std::unique_ptr<CpuNode> make_stored_weights_node(const Node& node, const CompileContext& context);

}  // namespace rondo::cpu
