// The nodes of the recurrent room: the makers that the list of nodes names.
#pragma once

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

// keep-sorted
std::unique_ptr<CpuNode> make_ordered_sequence_node(const Node& node,
                                                    const CompileContext& context);
std::unique_ptr<CpuNode> make_recurrent_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_sequence_stack_node(const Node& node, const CompileContext& context);

}  // namespace rondo::cpu
