// The nodes of the movement room: the makers that the list of nodes names.
#pragma once

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

// keep-sorted
std::unique_ptr<CpuNode> make_block_move_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_broadcast_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_concat_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_gather_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_pad_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_reverse_sequence_node(const Node& node,
                                                    const CompileContext& context);
std::unique_ptr<CpuNode> make_slice_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_split_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_strided_slice_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_tile_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_transpose_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_view_node(const Node& node, const CompileContext& context);

}  // namespace rondo::cpu
