// The nodes of the product room: the makers that the list of nodes names.
#pragma once

#include "core/ops/product/matmul.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// The node of integer products, in plain loops.
std::unique_ptr<CpuNode> make_integer_matmul_node(const ops::MatMul& op);

// keep-sorted
std::unique_ptr<CpuNode> make_det_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_fused_matmul_integer_node(const Node& node,
                                                        const CompileContext& context);
std::unique_ptr<CpuNode> make_fused_matmul_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_matmul_integer_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_matmul_node(const Node& node, const CompileContext& context);

}  // namespace rondo::cpu
