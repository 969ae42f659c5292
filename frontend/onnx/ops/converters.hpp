// Declares every operator's converter; the bodies live in one file an operator or close family.
#pragma once

#include <vector>

#include "frontend/onnx/node_context.hpp"

namespace rondo::onnx {

// A number says since which opset, where an operator has several converters. keep-sorted
std::vector<Output> convert_add(NodeContext& context);
std::vector<Output> convert_cast(NodeContext& context);
std::vector<Output> convert_concat(NodeContext& context);
std::vector<Output> convert_constant(NodeContext& context);
std::vector<Output> convert_constant_of_shape(NodeContext& context);
std::vector<Output> convert_conv(NodeContext& context);
std::vector<Output> convert_div(NodeContext& context);
std::vector<Output> convert_dropout_12(NodeContext& context);
std::vector<Output> convert_dropout_7(NodeContext& context);
std::vector<Output> convert_dynamic_quantize_lstm(NodeContext& context);
std::vector<Output> convert_expand(NodeContext& context);
std::vector<Output> convert_flatten(NodeContext& context);
std::vector<Output> convert_gather(NodeContext& context);
std::vector<Output> convert_gemm(NodeContext& context);
std::vector<Output> convert_gru(NodeContext& context);
std::vector<Output> convert_identity(NodeContext& context);
std::vector<Output> convert_lstm(NodeContext& context);
std::vector<Output> convert_matmul(NodeContext& context);
std::vector<Output> convert_mul(NodeContext& context);
std::vector<Output> convert_neg(NodeContext& context);
std::vector<Output> convert_pow(NodeContext& context);
std::vector<Output> convert_reciprocal(NodeContext& context);
std::vector<Output> convert_reduce_mean_1(NodeContext& context);
std::vector<Output> convert_reduce_mean_18(NodeContext& context);
std::vector<Output> convert_relu(NodeContext& context);
std::vector<Output> convert_reshape(NodeContext& context);
std::vector<Output> convert_rnn(NodeContext& context);
std::vector<Output> convert_shape(NodeContext& context);
std::vector<Output> convert_sigmoid(NodeContext& context);
std::vector<Output> convert_slice_1(NodeContext& context);
std::vector<Output> convert_slice_10(NodeContext& context);
std::vector<Output> convert_softmax_1(NodeContext& context);
std::vector<Output> convert_softmax_13(NodeContext& context);
std::vector<Output> convert_split_13(NodeContext& context);
std::vector<Output> convert_split_2(NodeContext& context);
std::vector<Output> convert_sqrt(NodeContext& context);
std::vector<Output> convert_squeeze_1(NodeContext& context);
std::vector<Output> convert_squeeze_13(NodeContext& context);
std::vector<Output> convert_sub(NodeContext& context);
std::vector<Output> convert_tanh(NodeContext& context);
std::vector<Output> convert_transpose(NodeContext& context);
std::vector<Output> convert_unsqueeze_1(NodeContext& context);
std::vector<Output> convert_unsqueeze_13(NodeContext& context);

}  // namespace rondo::onnx
