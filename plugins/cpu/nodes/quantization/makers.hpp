// The nodes of the quantization room: the makers that the list of nodes names.
#pragma once

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

// keep-sorted
std::unique_ptr<CpuNode> make_dynamic_quantize_linear_node(const Node& node,
                                                           const CompileContext& context);

}  // namespace rondo::cpu
