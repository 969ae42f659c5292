// Declares every node's maker; the bodies live in one file an op or close family.
#pragma once

#include <memory>

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

// Element types are known, unless a maker says otherwise.
// keep-sorted
std::unique_ptr<CpuNode> make_broadcast_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_concat_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_convert_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_convolution_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_elementwise_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_fused_convolution_node(const Node& node,
                                                     const CompileContext& context);
std::unique_ptr<CpuNode> make_fused_elementwise_node(const Node& node,
                                                     const CompileContext& context);
std::unique_ptr<CpuNode> make_fused_matmul_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_fused_reduction_node(const Node& node,
                                                   const CompileContext& context);
std::unique_ptr<CpuNode> make_gather_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_if_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_loop_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_matmul_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_ordered_sequence_node(const Node& node,
                                                    const CompileContext& context);
std::unique_ptr<CpuNode> make_read_value_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_recurrent_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_reduce_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_sequence_stack_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_shape_of_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_slice_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_softmax_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_split_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_stored_weights_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_strided_slice_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_transpose_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_view_node(const Node& node, const CompileContext& context);

}  // namespace rondo::cpu
