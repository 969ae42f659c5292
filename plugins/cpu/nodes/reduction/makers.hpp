// The nodes of the reduction room: the makers that the list of nodes names.
#pragma once

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

// keep-sorted
std::unique_ptr<CpuNode> make_cum_sum_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_fused_mvn_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_fused_reduction_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_mvn_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_reduce_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_softmax_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_top_k_node(const Node& node, const CompileContext& context);

}  // namespace rondo::cpu
