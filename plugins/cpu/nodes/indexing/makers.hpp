// The nodes of the indexing room: the makers that the list of nodes names.
#pragma once

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

// keep-sorted
std::unique_ptr<CpuNode> make_gather_elements_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_gather_nd_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_non_max_suppression_node(const Node& node,
                                                       const CompileContext& context);
std::unique_ptr<CpuNode> make_non_zero_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_scatter_elements_node(const Node& node,
                                                    const CompileContext& context);
std::unique_ptr<CpuNode> make_scatter_nd_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_unique_node(const Node& node, const CompileContext& context);

}  // namespace rondo::cpu
