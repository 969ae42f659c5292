// Elementwise ops of f16 and bf16: a program of f32 on short blocks.
#pragma once

#include <memory>

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// Gives what the same op of f32 gives, rounded to the type of the tensors. Null where the op's
/// numbers are of another type, or where it makes no program of f32.
std::unique_ptr<CpuNode> make_half_node(const Node& node, const CompileContext& context);

}  // namespace rondo::cpu
