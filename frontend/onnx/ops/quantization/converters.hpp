// The ONNX operators of the quantization room: their converters, which the list of operators names.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::vector<Output> convert_conv_integer(NodeContext& context);
std::vector<Output> convert_dequantize_linear(NodeContext& context);
std::vector<Output> convert_dynamic_quantize_linear(NodeContext& context);
std::vector<Output> convert_dynamic_quantize_lstm(NodeContext& context);
std::vector<Output> convert_dynamic_quantize_mat_mul(NodeContext& context);
std::vector<Output> convert_mat_mul_integer(NodeContext& context);
std::vector<Output> convert_mat_mul_integer_to_float(NodeContext& context);
std::vector<Output> convert_mat_mul_n_bits(NodeContext& context);
std::vector<Output> convert_microsoft_qlinear_conv(NodeContext& context);
std::vector<Output> convert_qgemm(NodeContext& context);
std::vector<Output> convert_qlinear_add(NodeContext& context);
std::vector<Output> convert_qlinear_average_pool(NodeContext& context);
std::vector<Output> convert_qlinear_concat(NodeContext& context);
std::vector<Output> convert_qlinear_conv(NodeContext& context);
std::vector<Output> convert_qlinear_global_average_pool(NodeContext& context);
std::vector<Output> convert_qlinear_leaky_relu(NodeContext& context);
std::vector<Output> convert_qlinear_mat_mul(NodeContext& context);
std::vector<Output> convert_qlinear_mul(NodeContext& context);
std::vector<Output> convert_qlinear_reduce_mean(NodeContext& context);
std::vector<Output> convert_qlinear_sigmoid(NodeContext& context);
std::vector<Output> convert_qlinear_softmax(NodeContext& context);
std::vector<Output> convert_qlinear_where(NodeContext& context);
std::vector<Output> convert_quantize_linear(NodeContext& context);

}  // namespace rondo::onnx
