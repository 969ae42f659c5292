// The makers of all nodes, which the list of nodes names.
#pragma once

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

// keep-sorted
MakeNode make_avg_pool_node;
MakeNode make_block_move_node;
MakeNode make_broadcast_node;
MakeNode make_col2im_node;
MakeNode make_concat_node;
MakeNode make_convert_node;
MakeNode make_convolution_backprop_node;
MakeNode make_convolution_node;
MakeNode make_cum_sum_node;
MakeNode make_deformable_convolution_node;
MakeNode make_det_node;
MakeNode make_dynamic_quantize_linear_node;
MakeNode make_elementwise_node;
MakeNode make_fourier_node;
MakeNode make_fused_elementwise_node;
MakeNode make_fused_reduction_node;
MakeNode make_gather_elements_node;
MakeNode make_gather_nd_node;
MakeNode make_gather_node;
MakeNode make_grid_sample_node;
MakeNode make_if_node;
MakeNode make_interpolate_node;
MakeNode make_loop_node;
MakeNode make_matmul_integer_node;
MakeNode make_matmul_node;
MakeNode make_max_pool_node;
MakeNode make_mvn_node;
MakeNode make_non_max_suppression_node;
MakeNode make_non_zero_node;
MakeNode make_pad_node;
MakeNode make_random_uniform_node;
MakeNode make_range_node;
MakeNode make_read_value_node;
MakeNode make_recurrent_node;
MakeNode make_reduce_node;
MakeNode make_reverse_sequence_node;
MakeNode make_roi_align_node;
MakeNode make_roll_node;
MakeNode make_scatter_elements_node;
MakeNode make_scatter_nd_node;
MakeNode make_sequence_stack_node;
MakeNode make_shape_of_node;
MakeNode make_slice_node;
MakeNode make_softmax_node;
MakeNode make_split_node;
MakeNode make_stft_node;
MakeNode make_stored_weights_node;
MakeNode make_strided_sequence_node;
MakeNode make_tile_node;
MakeNode make_top_k_node;
MakeNode make_transpose_node;
MakeNode make_unique_node;
MakeNode make_view_node;

}  // namespace rondo::cpu
