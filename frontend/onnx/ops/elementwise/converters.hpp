// The ONNX operators of the elementwise room: their converters, which the list of operators names.
#pragma once

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::vector<Output> convert_bias_add(NodeContext& context);
std::vector<Output> convert_bias_gelu(NodeContext& context);
std::vector<Output> convert_bias_split_gelu(NodeContext& context);
std::vector<Output> convert_binary(NodeContext& context, ops::BinaryFunction function);
std::vector<Output> convert_bit_shift(NodeContext& context);
std::vector<Output> convert_bitwise(NodeContext& context, ops::BinaryFunction function);
std::vector<Output> convert_bitwise_not(NodeContext& context);
std::vector<Output> convert_cast_1(NodeContext& context);
std::vector<Output> convert_cast_6(NodeContext& context);
std::vector<Output> convert_cast_like(NodeContext& context);
std::vector<Output> convert_celu(NodeContext& context);
std::vector<Output> convert_clip_1(NodeContext& context);
std::vector<Output> convert_clip_11(NodeContext& context);
std::vector<Output> convert_compare(NodeContext& context, ops::CompareFunction function);
std::vector<Output> convert_dropout_1(NodeContext& context);
std::vector<Output> convert_dropout_12(NodeContext& context);
std::vector<Output> convert_dropout_7(NodeContext& context);
std::vector<Output> convert_elu(NodeContext& context);
std::vector<Output> convert_fast_gelu(NodeContext& context);
std::vector<Output> convert_gelu(NodeContext& context);
std::vector<Output> convert_hard_sigmoid(NodeContext& context);
std::vector<Output> convert_identity(NodeContext& context);
std::vector<Output> convert_is_inf(NodeContext& context);
std::vector<Output> convert_is_nan(NodeContext& context);
std::vector<Output> convert_leaky_relu(NodeContext& context);
std::vector<Output> convert_logical(NodeContext& context, ops::LogicalFunction function);
std::vector<Output> convert_mean(NodeContext& context);
std::vector<Output> convert_microsoft_gelu(NodeContext& context);
std::vector<Output> convert_mod(NodeContext& context);
std::vector<Output> convert_n_ary(NodeContext& context, ops::BinaryFunction function);
std::vector<Output> convert_pow_1(NodeContext& context);
std::vector<Output> convert_pow_7(NodeContext& context);
std::vector<Output> convert_prelu(NodeContext& context);
std::vector<Output> convert_quick_gelu(NodeContext& context);
std::vector<Output> convert_reciprocal(NodeContext& context);
std::vector<Output> convert_selu(NodeContext& context);
std::vector<Output> convert_shrink(NodeContext& context);
std::vector<Output> convert_swiglu(NodeContext& context);
std::vector<Output> convert_swish(NodeContext& context);
std::vector<Output> convert_thresholded_relu(NodeContext& context);
std::vector<Output> convert_unary(NodeContext& context, ops::UnaryFunction function);
std::vector<Output> convert_where(NodeContext& context);

}  // namespace rondo::onnx
