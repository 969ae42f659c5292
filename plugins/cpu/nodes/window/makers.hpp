// The nodes of the window room: the makers that the list of nodes names.
#pragma once

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

// keep-sorted
std::unique_ptr<CpuNode> make_avg_pool_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_col2im_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_convolution_backprop_node(const Node& node,
                                                        const CompileContext& context);
std::unique_ptr<CpuNode> make_convolution_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_deformable_convolution_node(const Node& node,
                                                          const CompileContext& context);
std::unique_ptr<CpuNode> make_fused_convolution_node(const Node& node,
                                                     const CompileContext& context);
std::unique_ptr<CpuNode> make_grid_sample_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_interpolate_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_max_pool_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_roi_align_node(const Node& node, const CompileContext& context);

}  // namespace rondo::cpu
