// The ONNX operators' converters, which the list of operators names, by room; control/ declares its
// own.
#pragma once

#include "core/ops/elementwise/functions.hpp"
#include "core/ops/reduction/functions.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// attention
// keep-sorted
std::vector<Output> convert_attention(NodeContext& by);
std::vector<Output> convert_causal_conv(NodeContext& by);
std::vector<Output> convert_embed_layer_normalization(NodeContext& by);
std::vector<Output> convert_group_query_attention(NodeContext& by);
std::vector<Output> convert_linear_attention(NodeContext& by);
std::vector<Output> convert_microsoft_attention(NodeContext& by);
std::vector<Output> convert_microsoft_rotary_embedding(NodeContext& by);
std::vector<Output> convert_multi_head_attention(NodeContext& by);
std::vector<Output> convert_quantized_attention(NodeContext& by);
std::vector<Output> convert_rotary_embedding(NodeContext& by);
std::vector<Output> convert_tensor_scatter(NodeContext& by);

// elementwise
// keep-sorted
std::vector<Output> convert_bias_add(NodeContext& by);
std::vector<Output> convert_bias_gelu(NodeContext& by);
std::vector<Output> convert_bias_split_gelu(NodeContext& by);
std::vector<Output> convert_binary(NodeContext& by, ops::BinaryFunction function);
std::vector<Output> convert_bit_shift(NodeContext& by);
std::vector<Output> convert_bitwise(NodeContext& by, ops::BinaryFunction function);
std::vector<Output> convert_cast_1(NodeContext& by);
std::vector<Output> convert_cast_6(NodeContext& by);
std::vector<Output> convert_cast_like(NodeContext& by);
std::vector<Output> convert_celu(NodeContext& by);
std::vector<Output> convert_clip_1(NodeContext& by);
std::vector<Output> convert_clip_11(NodeContext& by);
std::vector<Output> convert_compare(NodeContext& by, ops::CompareFunction function);
std::vector<Output> convert_dropout_1(NodeContext& by);
std::vector<Output> convert_dropout_12(NodeContext& by);
std::vector<Output> convert_dropout_7(NodeContext& by);
std::vector<Output> convert_elu(NodeContext& by);
std::vector<Output> convert_fast_gelu(NodeContext& by);
std::vector<Output> convert_gelu(NodeContext& by);
std::vector<Output> convert_hard_sigmoid(NodeContext& by);
std::vector<Output> convert_identity(NodeContext& by);
std::vector<Output> convert_is_inf(NodeContext& by);
std::vector<Output> convert_is_nan(NodeContext& by);
std::vector<Output> convert_leaky_relu(NodeContext& by);
std::vector<Output> convert_logical(NodeContext& by, ops::LogicalFunction function);
std::vector<Output> convert_mean(NodeContext& by);
std::vector<Output> convert_microsoft_gelu(NodeContext& by);
std::vector<Output> convert_mod(NodeContext& by);
std::vector<Output> convert_n_ary(NodeContext& by, ops::BinaryFunction function);
std::vector<Output> convert_pow_7(NodeContext& by);
std::vector<Output> convert_prelu(NodeContext& by);
std::vector<Output> convert_quick_gelu(NodeContext& by);
std::vector<Output> convert_reciprocal(NodeContext& by);
std::vector<Output> convert_selu(NodeContext& by);
std::vector<Output> convert_shrink(NodeContext& by);
std::vector<Output> convert_swiglu(NodeContext& by);
std::vector<Output> convert_swish(NodeContext& by);
std::vector<Output> convert_thresholded_relu(NodeContext& by);
std::vector<Output> convert_unary(NodeContext& by, ops::UnaryFunction function);
std::vector<Output> convert_where(NodeContext& by);

// indexing
// keep-sorted
std::vector<Output> convert_compress(NodeContext& by);
std::vector<Output> convert_gather_elements(NodeContext& by);
std::vector<Output> convert_gather_nd(NodeContext& by);
std::vector<Output> convert_non_max_suppression(NodeContext& by);
std::vector<Output> convert_non_zero(NodeContext& by);
std::vector<Output> convert_one_hot(NodeContext& by);
std::vector<Output> convert_scatter_elements(NodeContext& by);
std::vector<Output> convert_scatter_nd(NodeContext& by);
std::vector<Output> convert_tf_idf_vectorizer(NodeContext& by);
std::vector<Output> convert_unique(NodeContext& by);

// movement
// keep-sorted
std::vector<Output> convert_bit_cast(NodeContext& by);
std::vector<Output> convert_block_move(NodeContext& by, bool to_depth);
std::vector<Output> convert_center_crop_pad(NodeContext& by);
std::vector<Output> convert_concat_1(NodeContext& by);
std::vector<Output> convert_concat_4(NodeContext& by);
std::vector<Output> convert_expand(NodeContext& by);
std::vector<Output> convert_flatten(NodeContext& by);
std::vector<Output> convert_gather(NodeContext& by);
std::vector<Output> convert_pad_1(NodeContext& by);
std::vector<Output> convert_pad_11(NodeContext& by);
std::vector<Output> convert_pad_2(NodeContext& by);
std::vector<Output> convert_reshape_1(NodeContext& by);
std::vector<Output> convert_reshape_5(NodeContext& by);
std::vector<Output> convert_reverse_sequence(NodeContext& by);
std::vector<Output> convert_slice_1(NodeContext& by);
std::vector<Output> convert_slice_10(NodeContext& by);
std::vector<Output> convert_split_1(NodeContext& by);
std::vector<Output> convert_split_13(NodeContext& by);
std::vector<Output> convert_split_2(NodeContext& by);
std::vector<Output> convert_squeeze_1(NodeContext& by);
std::vector<Output> convert_squeeze_13(NodeContext& by);
std::vector<Output> convert_tile_1(NodeContext& by);
std::vector<Output> convert_tile_6(NodeContext& by);
std::vector<Output> convert_transpose(NodeContext& by);
std::vector<Output> convert_trilu(NodeContext& by);
std::vector<Output> convert_unsqueeze_1(NodeContext& by);
std::vector<Output> convert_unsqueeze_13(NodeContext& by);

// product
// keep-sorted
std::vector<Output> convert_det(NodeContext& by);
std::vector<Output> convert_einsum(NodeContext& by);
std::vector<Output> convert_fused_gemm(NodeContext& by);
std::vector<Output> convert_fused_mat_mul(NodeContext& by);
std::vector<Output> convert_fused_mat_mul_activation(NodeContext& by);
std::vector<Output> convert_gemm(NodeContext& by, bool is_old);
std::vector<Output> convert_matmul(NodeContext& by);

// quantization
// keep-sorted
std::vector<Output> convert_conv_integer(NodeContext& by);
std::vector<Output> convert_dequantize_linear(NodeContext& by);
std::vector<Output> convert_dynamic_quantize_linear(NodeContext& by);
std::vector<Output> convert_dynamic_quantize_lstm(NodeContext& by);
std::vector<Output> convert_dynamic_quantize_mat_mul(NodeContext& by);
std::vector<Output> convert_mat_mul_integer(NodeContext& by);
std::vector<Output> convert_mat_mul_integer_to_float(NodeContext& by);
std::vector<Output> convert_mat_mul_n_bits(NodeContext& by);
std::vector<Output> convert_qgemm(NodeContext& by);
std::vector<Output> convert_qlinear_add(NodeContext& by);
std::vector<Output> convert_qlinear_average_pool(NodeContext& by);
std::vector<Output> convert_qlinear_concat(NodeContext& by);
std::vector<Output> convert_qlinear_conv(NodeContext& by, bool is_microsoft);
std::vector<Output> convert_qlinear_global_average_pool(NodeContext& by);
std::vector<Output> convert_qlinear_leaky_relu(NodeContext& by);
std::vector<Output> convert_qlinear_mat_mul(NodeContext& by);
std::vector<Output> convert_qlinear_mul(NodeContext& by);
std::vector<Output> convert_qlinear_reduce_mean(NodeContext& by);
std::vector<Output> convert_qlinear_sigmoid(NodeContext& by);
std::vector<Output> convert_qlinear_softmax(NodeContext& by);
std::vector<Output> convert_qlinear_where(NodeContext& by);
std::vector<Output> convert_quantize_linear(NodeContext& by);

// recurrent
// keep-sorted
std::vector<Output> convert_gru(NodeContext& by);
std::vector<Output> convert_lstm(NodeContext& by);
std::vector<Output> convert_rnn(NodeContext& by);

// reduction
// keep-sorted
std::vector<Output> convert_arg(NodeContext& by, ops::TopKMode mode);
std::vector<Output> convert_batch_normalization(NodeContext& by);
std::vector<Output> convert_cdist(NodeContext& by);
std::vector<Output> convert_cross_entropy(NodeContext& by);
std::vector<Output> convert_cumulation(NodeContext& by, bool is_product);
std::vector<Output> convert_group_normalization_18(NodeContext& by);
std::vector<Output> convert_group_normalization_21(NodeContext& by);
std::vector<Output> convert_hardmax_1(NodeContext& by);
std::vector<Output> convert_hardmax_13(NodeContext& by);
std::vector<Output> convert_instance_normalization(NodeContext& by);
std::vector<Output> convert_layer_normalization(NodeContext& by);
std::vector<Output> convert_likelihood(NodeContext& by);
std::vector<Output> convert_lp_normalization(NodeContext& by);
std::vector<Output> convert_mean_variance_normalization(NodeContext& by);
std::vector<Output> convert_reduce(NodeContext& by, ops::ReduceFunction function);
std::vector<Output> convert_reduce_log_sum(NodeContext& by);
std::vector<Output> convert_reduce_log_sum_exp(NodeContext& by);
std::vector<Output> convert_reduce_sum(NodeContext& by);
std::vector<Output> convert_reduce_sum_square(NodeContext& by);
std::vector<Output> convert_rms_normalization(NodeContext& by);
std::vector<Output> convert_skip_layer_normalization(NodeContext& by, bool is_full);
std::vector<Output> convert_softmax_1(NodeContext& by, bool is_log);
std::vector<Output> convert_softmax_13(NodeContext& by, bool is_log);
std::vector<Output> convert_top_k(NodeContext& by);

// source
// keep-sorted
std::vector<Output> convert_bernoulli(NodeContext& by);
std::vector<Output> convert_constant(NodeContext& by);
std::vector<Output> convert_constant_of_shape(NodeContext& by);
std::vector<Output> convert_eye_like(NodeContext& by);
std::vector<Output> convert_microsoft_range(NodeContext& by);
std::vector<Output> convert_multinomial(NodeContext& by);
std::vector<Output> convert_random(NodeContext& by, bool is_normal);
std::vector<Output> convert_random_like(NodeContext& by, bool is_normal);
std::vector<Output> convert_range(NodeContext& by);
std::vector<Output> convert_shape(NodeContext& by);
std::vector<Output> convert_size(NodeContext& by);

// spectral
// keep-sorted
std::vector<Output> convert_blackman_window(NodeContext& by);
std::vector<Output> convert_dft(NodeContext& by);
std::vector<Output> convert_hamming_window(NodeContext& by);
std::vector<Output> convert_hann_window(NodeContext& by);
std::vector<Output> convert_mel_weight_matrix(NodeContext& by);
std::vector<Output> convert_stft(NodeContext& by);

// window
// keep-sorted
std::vector<Output> convert_affine_grid(NodeContext& by);
std::vector<Output> convert_average_pool(NodeContext& by);
std::vector<Output> convert_col2im(NodeContext& by);
std::vector<Output> convert_conv(NodeContext& by);
std::vector<Output> convert_conv_transpose(NodeContext& by);
std::vector<Output> convert_deform_conv(NodeContext& by);
std::vector<Output> convert_fused_conv(NodeContext& by);
std::vector<Output> convert_global_lp_pool(NodeContext& by);
std::vector<Output> convert_global_pool(NodeContext& by, ops::ReduceFunction function);
std::vector<Output> convert_grid_sample(NodeContext& by);
std::vector<Output> convert_lp_pool(NodeContext& by);
std::vector<Output> convert_lrn(NodeContext& by);
std::vector<Output> convert_max_pool(NodeContext& by);
std::vector<Output> convert_max_unpool(NodeContext& by);
std::vector<Output> convert_nhwc_max_pool(NodeContext& by);
std::vector<Output> convert_resize(NodeContext& by);
std::vector<Output> convert_roi_align(NodeContext& by);
std::vector<Output> convert_upsample_1(NodeContext& by);
std::vector<Output> convert_upsample_7(NodeContext& by);
std::vector<Output> convert_with_scales(NodeContext& by);

}  // namespace rondo::onnx
