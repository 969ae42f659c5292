// Elementwise ops without generated code: plain loops for every function and element type.
#pragma once

#include <memory>

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// The node of an op of the unary, binary, compare or logical family, or of Select. Throws
/// UnsupportedError naming the node where there is no loop for its type.
std::unique_ptr<CpuNode> make_typed_node(const Node& node);

}  // namespace rondo::cpu
